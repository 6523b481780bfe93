import { errors, jwtVerify, SignJWT } from 'jose';
import { unauthorized } from './errors';

/** 12 hours, in seconds. */
const LIFETIME = 12 * 3600;
const ISSUER = 'avow';

/** Whose a bearer token is, and when it was issued in milliseconds since 1970. */
export interface Claims {
  userId: number;
  issuedAt: number;
}

/** Issues and checks bearer tokens: JWT (RFC 7519) signed with HMAC-SHA256. */
export class Tokens {
  private readonly key: Uint8Array;

  constructor(secret: string) {
    this.key = new TextEncoder().encode(secret);
  }

  /** A token for 12 hours. Its time of issue is kept in milliseconds, so that a revocation ends exactly the older ones. */
  async issue(userId: number, now = new Date()): Promise<{ token: string; expiresAt: Date }> {
    const seconds = Math.floor(now.getTime() / 1000);
    const token = await new SignJWT({ ms: now.getTime() })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(String(userId))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + LIFETIME)
      .sign(this.key);
    return { token, expiresAt: new Date((seconds + LIFETIME) * 1000) };
  }

  /** Throws 401 for a token that is not ours, was changed, or has expired. */
  async check(token: string): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, this.key, { issuer: ISSUER, algorithms: ['HS256'] });
      const userId = Number(payload.sub);
      const issuedAt = Number(payload.ms);
      if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(issuedAt)) throw unauthorized();
      return { userId, issuedAt };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw unauthorized('The bearer token has expired: log in again.');
      throw unauthorized();
    }
  }
}
