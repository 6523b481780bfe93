import type { Knex } from 'knex';
import { canLogIn } from '../db/can-log-in';
import { InvitationRow, MemberRow, WebhookRow } from '../db/models';
import { emailKeys } from '../domain/email-keys';
import type { Role } from '../domain/types';
import { soleOwner } from './owners';

/** A member of a site, or an invited person, as shown in lists. */
export class ListedMember extends MemberRow {
  email!: string;
  name!: string;
  is_invited!: boolean;
  signed_on_by!: string | null;
  signed_on_at!: Date | null;
}

/** Of the last log-in by a provider. */
const lastSignOn = (column: string): string =>
  `(SELECT i.${column} FROM identities i WHERE i.user_id = users.id ORDER BY i.last_used_at DESC LIMIT 1)`;

/** Members and invitations of a site as one list. */
export function listOf(db: Knex, environment_id: string) {
  const members = MemberRow.query(db)
    .join('users', 'users.id', 'members.user_id')
    .where({ environment_id })
    .select('members.environment_id', 'user_id', 'role', 'added_at', 'users.email', 'users.name')
    .select('given_by', db.raw(`${lastSignOn('provider')} AS signed_on_by`))
    .select(db.raw(`${lastSignOn('last_used_at')} AS signed_on_at`))
    .select(db.raw(`NOT ${canLogIn('users')} AS is_invited`));
  const invited = InvitationRow.query(db)
    .where({ environment_id })
    .select('environment_id', 'user_id', 'role', 'added_at', 'email', 'name')
    .select(db.raw('NULL::text, NULL::text, NULL::timestamptz, true'));
  return ListedMember.query(db).from(
    db.raw('((?) UNION ALL (?)) AS members', [members.toKnexQuery(), invited.toKnexQuery()]),
  );
}

/** How many webhooks of a site each account made; there are at most a hundred. */
async function webhooksMade(db: Knex, environment_id: string): Promise<Map<number, number>> {
  const makers = await WebhookRow.query(db)
    .where({ environment_id })
    .whereNotNull('created_by')
    .select('created_by');
  const counts = new Map<number, number>();
  for (const { created_by } of makers)
    if (created_by !== null) counts.set(created_by, (counts.get(created_by) ?? 0) + 1);
  return counts;
}

const signedOn = ({ signed_on_by, signed_on_at }: ListedMember) =>
  signed_on_by === null || signed_on_at === null
    ? null
    : { provider: signed_on_by, at: signed_on_at.toISOString() };

/** The answer's form of members of one site, as somebody of this role may see them. */
export async function memberViews(db: Knex, environmentId: string, reader: Role) {
  const last = await soleOwner(db, environmentId);
  const made = await webhooksMade(db, environmentId);
  return (row: ListedMember) => {
    const { user_id, email, name, role, is_invited, added_at } = row;
    return {
      user_id,
      email,
      name,
      role,
      status: is_invited ? ('invited' as const) : ('active' as const),
      last_owner: user_id === last,
      given_by: row.given_by,
      // Of any site of this server: it says when a colleague works elsewhere.
      signed_on: reader === 'owner' ? signedOn(row) : null,
      webhooks: is_invited ? 0 : (made.get(user_id) ?? 0),
      added_at: added_at.toISOString(),
    };
  };
}

/** Whether a member of the site has this address. */
export async function hasMember(db: Knex, environment_id: string, email: string): Promise<boolean> {
  const member = await MemberRow.query(db)
    .join('users', 'users.id', 'members.user_id')
    .where({ environment_id })
    .whereIn('email_key', emailKeys(email))
    .select('user_id')
    .first();
  return member !== undefined;
}
