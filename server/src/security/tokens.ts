import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose';
import { clock } from '../domain/clock';
import { unauthorized } from '../domain/errors';
import { HOUR_MS } from '../domain/time';
import { keyIdOf } from './key-id';

/** 12 hours, in seconds. */
const LIFETIME = (12 * HOUR_MS) / 1000;
const ISSUER = 'avow';

/** The user of a bearer token, and when it was issued, in milliseconds since 1970. */
export interface Claims {
  userId: number;
  issuedAt: number;
  /** Identifies this token: a hash of its signed part, so that all encodings of it have the same id. */
  tokenHash: Buffer;
  expiresAt: Date;
}

interface Key {
  id: string;
  /** Not its bytes, which would be imported again for each request. */
  secret: KeyObject;
}

/**
 * Issues and checks bearer tokens: JWT (RFC 7519) signed with HMAC-SHA256. The first secret signs and is
 * named in the token; the others are also accepted, so that secrets can be rotated.
 */
export class Tokens {
  private readonly key: Key;
  private readonly keys: readonly Key[];

  constructor(secret: string, others: readonly string[] = []) {
    this.key = keyOf(secret);
    this.keys = [this.key, ...others.map(keyOf)];
  }

  /**
   * A token for 12 hours. The time of issue is in milliseconds, so that a revocation ends exactly the older
   * tokens. It is never before `validFrom`, from which the user's tokens are valid and which a wrong clock
   * may have put in the future.
   */
  async issue(userId: number, validFrom?: Date): Promise<{ token: string; expiresAt: Date }> {
    const now = clock.now();
    const seconds = Math.floor(now / 1000);
    const token = await new SignJWT({ ms: Math.max(now, validFrom?.getTime() ?? 0) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: this.key.id })
      .setIssuer(ISSUER)
      .setSubject(String(userId))
      // Distinguishes sessions that begin in the same millisecond.
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + LIFETIME)
      .sign(this.key.secret);
    return { token, expiresAt: new Date((seconds + LIFETIME) * 1000) };
  }

  /** Throws 401 for a token that is foreign, altered or expired. */
  async check(token: string): Promise<Claims> {
    try {
      const payload = await this.verify(token);
      const [userId, issuedAt] = [Number(payload.sub), Number(payload.ms)];
      if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(issuedAt)) throw unauthorized();
      const expiresAt = new Date(Number(payload.exp) * 1000);
      return { userId, issuedAt, expiresAt, tokenHash: hashOf(token) };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw unauthorized('The bearer token has expired: log in again.');
      throw unauthorized();
    }
  }

  /** Selected by the key id in the token; tokens without one predate key ids. */
  private async verify(token: string): Promise<JWTPayload> {
    const options: JWTVerifyOptions = { issuer: ISSUER, algorithms: ['HS256'], currentDate: clock.date() };
    let unnamed: Key | undefined;
    const named = async ({ kid }: { kid?: string }): Promise<KeyObject> => {
      const key = kid === undefined ? (unnamed ?? this.key) : this.keys.find(({ id }) => id === kid);
      if (key === undefined) throw unauthorized();
      return key.secret;
    };
    for (unnamed of this.keys) {
      try {
        return (await jwtVerify(token, named, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw unauthorized();
  }
}

const hashOf = (token: string): Buffer =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest();

function keyOf(secret: string): Key {
  const bytes = new TextEncoder().encode(secret);
  return { id: keyIdOf(bytes).toString('hex'), secret: createSecretKey(bytes) };
}
