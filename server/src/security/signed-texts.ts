import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose';
import { clock } from '../domain/clock';
import { unauthorized } from '../domain/errors';
import { keyIdOf } from './key-id';

interface Key {
  id: string;
  /** Not its bytes, which would be imported again for each request. */
  secret: KeyObject;
}

/**
 * Signs and checks JWT (RFC 7519) with HMAC-SHA256. The first secret signs and is named in the text; the others are
 * also accepted, so that secrets can be rotated.
 */
export class SignedTexts {
  private readonly key: Key;
  private readonly keys: readonly Key[];

  /** @param issuer tells one kind of text from the others, so that none passes for another */
  constructor(
    private readonly issuer: string,
    secret: string,
    others: readonly string[] = [],
  ) {
    this.key = keyOf(secret);
    this.keys = [this.key, ...others.map(keyOf)];
  }

  /** @param seconds since 1970 */
  sign(facts: JWTPayload, { issued, end }: { issued: number; end: number }): Promise<string> {
    return new SignJWT(facts)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: this.key.id })
      .setIssuer(this.issuer)
      .setIssuedAt(issued)
      .setExpirationTime(end)
      .sign(this.key.secret);
  }

  /** Selected by the key id in the text; texts without one predate key ids. Throws 401 and the library's errors. */
  async open(text: string): Promise<JWTPayload> {
    const options: JWTVerifyOptions = {
      issuer: this.issuer,
      algorithms: ['HS256'],
      currentDate: clock.date(),
    };
    let unnamed: Key | undefined;
    const named = async ({ kid }: { kid?: string }): Promise<KeyObject> => {
      const key = kid === undefined ? (unnamed ?? this.key) : this.keys.find(({ id }) => id === kid);
      if (key === undefined) throw unauthorized();
      return key.secret;
    };
    for (unnamed of this.keys) {
      try {
        return (await jwtVerify(text, named, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw unauthorized();
  }
}

function keyOf(secret: string): Key {
  const bytes = new TextEncoder().encode(secret);
  return { id: keyIdOf(bytes).toString('hex'), secret: createSecretKey(bytes) };
}
