import type { Knex } from 'knex';
import { lockGroup } from '../db/account-groups';
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

/** What an account is that whoever may say so makes its own. */
export const INDEPENDENT = {
  sponsor_id: null,
  by_invited: false,
  was_claimed: false,
} satisfies Partial<UserRow>;

/** Throws 403 when it is of nobody's yet, and so could make sites without a limit or on somebody else's. */
export async function demandPlaced(trx: Knex, userId: number): Promise<void> {
  const user = await UserRow.query(trx).findById(userId).select('was_claimed');
  if (user?.was_claimed !== true) return;
  throw forbidden(
    'Somebody else has invited your address, and a site of yours would count as theirs: accept an invitation of somebody you know, or ask whoever runs the server to make your account independent (npm run owner -- add EMAIL).',
  );
}

/**
 * An account that is of nobody's yet comes to the group of whoever made the invitation that it accepts. Throws 429 when the
 * group has made too many in a day: an account of today counts as one of them.
 */
export async function placeBy(trx: Knex, userId: number, inviter: number | null | undefined): Promise<void> {
  if (inviter == null) return;
  const user = await UserRow.query(trx).findOne({ id: userId, was_claimed: true });
  if (user === undefined) return;
  const group = await lockGroup(trx, inviter);
  await refuseTooManyMade(trx, group, inviter !== group);
  await user.$query(trx).patch({ sponsor_id: group, by_invited: inviter !== group, was_claimed: false });
}
