import type { Knex } from 'knex';
import { lockSponsor } from '../db/account-groups';
import { EnvironmentRow, UserRow } from '../db/models';
import { forbidden } from '../domain/errors';
import { refuseTooManyMade } from './sponsors';

/**
 * What an account is of whose address is proved by somebody who did not know its password: whoever invited the address may
 * have claimed it, and its own sites must not count as theirs. It is of nobody's until its person accepts an invitation,
 * or the operator makes it independent: else everybody could make independent accounts by inviting addresses of their own.
 */
export async function takenBack(
  trx: Knex,
  { id, sponsor_id }: Pick<UserRow, 'id' | 'sponsor_id'>,
): Promise<Partial<UserRow>> {
  if (sponsor_id === null) return {};
  // Whoever has made sites with it, as before there was a mail server, has used it.
  const made = await EnvironmentRow.query(trx).findOne({ made_by: id }).select('id');
  return made === undefined ? { was_claimed: true } : {};
}

/** Throws 403 when it is of nobody's yet, and so could make sites without a limit or on somebody else's. */
export async function demandPlaced(trx: Knex, userId: number): Promise<void> {
  const user = await UserRow.query(trx).findById(userId).select('was_claimed');
  if (user?.was_claimed !== true) return;
  throw forbidden(
    'Somebody else has invited your address, and a site of yours would count as theirs: accept an invitation of somebody you know, or ask whoever runs the server to make your account independent (npm run owner -- add EMAIL).',
  );
}

/**
 * An account that is of nobody's yet comes to the group of whoever made the invitation that it accepts, unless they are of
 * nobody's themselves. Throws 429 when the group has made too many in a day: an account of today counts as one of them.
 */
export async function placeBy(trx: Knex, userId: number, inviter: number | null | undefined): Promise<void> {
  if (inviter == null) return;
  const user = await UserRow.query(trx).findOne({ id: userId, was_claimed: true });
  if (user === undefined) return;
  const sponsored = await lockSponsor(trx, inviter);
  if (sponsored.was_claimed) return;
  // Those that count for the group already make it no fuller.
  if (user.sponsor_id !== sponsored.sponsor_id) await refuseTooManyMade(trx, sponsored);
  await user.$query(trx).patch(sponsored);
}
