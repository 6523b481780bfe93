import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { type ApiError, unauthorized, ValidationError } from '../domain/errors';
import { MINUTE_MS } from '../domain/time';
import { SignedTexts } from './signed-texts';
import { hashOf } from './tokens';

/** A step must follow within 5 minutes, in milliseconds. */
const LIFETIME = 5 * MINUTE_MS;

/** What the next step is for; a challenge of one is none of another. */
export type Purpose = 'second factor' | 'passkey login' | 'passkey' | 'reauthentication';

/** Steps of somebody whose bearer token has shown who they are: 401 would say that the token works no more. */
const OF_CALLER: readonly Purpose[] = ['passkey', 'reauthentication'];

export interface Challenge {
  purpose: Purpose;
  /** Whose step it is; undefined: whoever it turns out to be. */
  userId: number | undefined;
  /** How the log-in began that it is the second step of. */
  how: string | undefined;
  /** 32 random bytes in base64url: what an authenticator signs. */
  nonce: string;
  /** When it was made, in milliseconds since 1970. */
  madeAt: number;
  expiresAt: Date;
  /** What it is known by once it is used. */
  hash: Buffer;
}

/** Signed texts that a client sends back with the next step: nothing is stored until that succeeds. */
export class Challenges {
  private readonly texts: SignedTexts;

  constructor(secret: string, others: readonly string[] = []) {
    this.texts = new SignedTexts('avow challenge', secret, others);
  }

  async make(
    purpose: Purpose,
    { userId, how, validFrom }: { userId?: number; how?: string; validFrom?: Date } = {},
  ): Promise<{ text: string; nonce: string; expiresAt: Date }> {
    const now = clock.now();
    // As with tokens: never before what they are valid from, which may lie in the future.
    const ms = Math.max(now, validFrom?.getTime() ?? 0);
    const nonce = randomBytes(32).toString('base64url');
    const end = Math.floor((now + LIFETIME) / 1000);
    const whose = userId === undefined ? {} : { sub: String(userId) };
    const facts = { ...whose, ...(how !== undefined && { how }), aud: purpose, jti: nonce, ms };
    const text = await this.texts.sign(facts, { issued: Math.floor(now / 1000), end });
    return { text, nonce, expiresAt: new Date(end * 1000) };
  }

  /** Throws 401, or 400 for a step of the caller, for a text that is foreign, altered, expired, or for another step. */
  async open(text: string, purpose: Purpose): Promise<Challenge> {
    const payload = await this.texts.open(text).catch(() => undefined);
    if (payload === undefined || payload.aud !== purpose) throw spent(purpose);
    return {
      purpose,
      ...{ userId: payload.sub === undefined ? undefined : Number(payload.sub), nonce: String(payload.jti) },
      how: payload.how === undefined ? undefined : String(payload.how),
      ...{ madeAt: Number(payload.ms), expiresAt: new Date(Number(payload.exp) * 1000), hash: hashOf(text) },
    };
  }
}

/** Uses a challenge up, in the transaction of what it permits. Throws as `open` when it was used before. */
export async function spendChallenge(trx: Knex, { hash, expiresAt, purpose }: Challenge): Promise<void> {
  const row = { token_hash: hash, expires_at: expiresAt };
  const used = await trx('ended_sessions')
    .insert(row)
    .onConflict('token_hash')
    .ignore()
    .returning('token_hash');
  if (used.length === 0) throw spent(purpose);
}

const SPENT = 'has expired, was used, or is for another step: begin';

const spent = (purpose: Purpose): ApiError =>
  OF_CALLER.includes(purpose)
    ? ValidationError.of('body.challenge', `${SPENT} again`)
    : unauthorized(`This challenge ${SPENT} to log in again.`);
