import { createHash, randomUUID } from 'node:crypto';
import { errors } from 'jose';
import { clock } from '../domain/clock';
import { unauthorized } from '../domain/errors';
import { HOUR_MS } from '../domain/time';
import type { LoginWay } from '../domain/types';
import { SignedTexts } from './signed-texts';

/** 12 hours, in seconds. */
const LIFETIME = (12 * HOUR_MS) / 1000;

/** The user of a bearer token, and when it was issued, in milliseconds since 1970. */
export interface Claims {
  userId: number;
  issuedAt: number;
  /** When the person last proved who they are, in milliseconds since 1970. */
  authenticatedAt: number;
  /** Whether a second factor was proved, too. */
  secondFactor: boolean;
  /** How its session began, such as `oidc`; undefined for a token of an earlier version. */
  begunBy?: LoginWay | undefined;
  /** Whether the account itself was proved, in a session that began at a provider. */
  ownProof: boolean;
  /** The id of its session. */
  sessionId: string;
  /** Identifies this token: a hash of its signed part, so that all encodings of it have the same id. */
  tokenHash: Buffer;
  expiresAt: Date;
}

/** What a token says besides whose it is. */
export interface TokenFacts {
  secondFactor?: boolean;
  /** How the session begins. */
  how?: LoginWay;
  ownProof?: boolean;
  /** When the person proved who they are, if not now. */
  authenticatedAt?: number | undefined;
  /** When it ends, if sooner than after 12 hours: it takes the place of another token. */
  until?: Date;
}

/** A token as it is issued, and what identifies it. */
export type Issued = Pick<Claims, 'sessionId' | 'tokenHash' | 'issuedAt' | 'expiresAt'> & { token: string };

/** Issues and checks bearer tokens. */
export class Tokens {
  private readonly texts: SignedTexts;

  constructor(secret: string, others: readonly string[] = []) {
    this.texts = new SignedTexts('avow', secret, others);
  }

  /**
   * A token for 12 hours. The time of issue is in milliseconds, so that a revocation ends exactly the older
   * tokens. It is never before `validFrom`, from which the user's tokens are valid and which a wrong clock
   * may have put in the future.
   */
  async issue(
    userId: number,
    validFrom?: Date,
    { secondFactor = false, how, ownProof = false, authenticatedAt, until }: TokenFacts = {},
  ): Promise<Issued> {
    const now = clock.now();
    const issued = Math.floor(now / 1000);
    const latest = until === undefined ? Number.POSITIVE_INFINITY : Math.floor(until.getTime() / 1000);
    const end = Math.min(issued + LIFETIME, latest);
    // Also distinguishes sessions that begin in the same millisecond.
    const sessionId = randomUUID();
    const issuedAt = Math.max(now, validFrom?.getTime() ?? 0);
    const facts = {
      ...{ sub: String(userId), jti: sessionId, ms: issuedAt },
      ...(secondFactor && { sf: true }),
      ...(how !== undefined && { how }),
      ...(ownProof && { own: true }),
      ...(authenticatedAt !== undefined && { auth: authenticatedAt }),
    };
    const token = await this.texts.sign(facts, { issued, end });
    return { token, sessionId, issuedAt, tokenHash: hashOf(token), expiresAt: new Date(end * 1000) };
  }

  /** Throws 401 for a token that is foreign, altered or expired. */
  async check(token: string): Promise<Claims> {
    try {
      const payload = await this.texts.open(token);
      const { sub, ms, auth = ms, jti: sessionId = '', sf, how, own, exp } = payload;
      const [userId, issuedAt, authenticatedAt] = [Number(sub), Number(ms), Number(auth)];
      if (![userId, issuedAt, authenticatedAt].every(Number.isSafeInteger)) throw unauthorized();
      return {
        ...{ userId, issuedAt, authenticatedAt, sessionId, tokenHash: hashOf(token) },
        secondFactor: sf === true,
        begunBy: how as LoginWay | undefined,
        ownProof: own === true,
        expiresAt: new Date(Number(exp) * 1000),
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw unauthorized('The bearer token has expired: log in again.');
      throw unauthorized();
    }
  }
}

/** A hash of what a text signs: the last character of a signature has four spellings. */
export const hashOf = (text: string): Buffer =>
  createHash('sha256')
    .update(text.slice(0, text.lastIndexOf('.')))
    .digest();
