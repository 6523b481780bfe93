import type { Knex } from 'knex';
import { lockSponsor, madeBefore, type Sponsored } from '../db/account-groups';
import { clock } from '../domain/clock';
import { type ApiError, rateLimited } from '../domain/errors';
import { DAY_MS } from '../domain/time';

/** Accounts that the invitations of one group may make in 24 hours. */
export const ACCOUNTS_PER_DAY = 50;

/** Of them, those that the invitations of invited accounts may make: the others are kept for whoever began the group. */
const BY_INVITED = ACCOUNTS_PER_DAY / 2;

/**
 * Throws 429 when the invitations of a group have made too many accounts within 24 hours. The group must be
 * locked: two links at once must not both find room.
 */
export async function refuseTooManyMade(trx: Knex, sponsored: Omit<Sponsored, 'was_claimed'>): Promise<void> {
  const refusal = await refusalOf(trx, sponsored);
  if (refusal !== undefined) throw refusal;
}

async function refusalOf(
  trx: Knex,
  { sponsor_id, by_invited: byInvited }: Omit<Sponsored, 'was_claimed'>,
): Promise<ApiError | undefined> {
  const parts = [
    { nth: ACCOUNTS_PER_DAY, byInvited: false },
    ...(byInvited ? [{ nth: BY_INVITED, byInvited }] : []),
  ];
  for (const part of parts) {
    const made = await madeBefore(trx, sponsor_id, part);
    const wait = (made?.getTime() ?? 0) + DAY_MS - clock.now();
    if (wait > 0) return tooMany(Math.ceil(Math.min(wait, DAY_MS) / 1000), part.nth);
  }
  return undefined;
}

/**
 * Whom an account counts for that several have invited and none has been accepted of: the first whose group has room, so
 * that nobody can use up what others may. Throws 429 when there is none.
 */
export async function sponsorAmong(trx: Knex, inviters: readonly number[]): Promise<Sponsored | undefined> {
  let refusal: ApiError | undefined;
  for (const inviter of inviters) {
    const sponsored = await lockSponsor(trx, inviter);
    refusal = await refusalOf(trx, sponsored);
    if (refusal === undefined) return sponsored;
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

/** The invitation stays open: the person who was invited has done nothing wrong. */
const tooMany = (seconds: number, made: number): ApiError =>
  rateLimited(
    seconds,
    `Whoever invited you has made ${made} accounts by invitations within 24 hours, together with others: open the link again in ${hours(seconds)}, or ask whoever runs the server for an account.`,
  );

function hours(seconds: number): string {
  const count = Math.ceil(seconds / 3600);
  return count === 1 ? 'an hour' : `${count} hours`;
}
