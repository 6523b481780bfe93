import type { Knex } from 'knex';
import type { Provider } from '../../config';
import { EnvironmentRow, MemberRow, UserRow } from '../../db/models';
import { changesOf } from '../../domain/audit';
import { clock } from '../../domain/clock';
import { conflict } from '../../domain/errors';
import type { Role } from '../../domain/types';
import { revokeKeysOf } from '../api-keys';
import type { Audit } from '../audit';
import { unassignAll } from '../dsar-assignees';
import { deleteViewsOf } from '../dsar-views';
import { withholdNotices } from '../mail/withhold-notices';
import { endInvitationsOf, lockOwners, soleOwner, takeBackInvitations } from '../owners';

const RANK: Record<Role, number> = { viewer: 1, operator: 2, owner: 3 };

/** What the groups of a person give, by the configuration. */
export interface Granted {
  /** Whether any rule is about the person. */
  isLetIn: boolean;
  /** The highest role on each site, by its token. */
  roles: ReadonlyMap<string, Role>;
}

export function grantedBy({ access }: Pick<Provider, 'access'>, groups: ReadonlySet<string>): Granted {
  const fitting = access.filter(({ group }) => group === '*' || groups.has(group));
  const roles = new Map<string, Role>();
  for (const { grant } of fitting) {
    const before = grant === null ? undefined : roles.get(grant.site);
    if (grant !== null && (before === undefined || RANK[before] < RANK[grant.role]))
      roles.set(grant.site, grant.role);
  }
  return { isLetIn: fitting.length > 0, roles };
}

interface Step {
  environmentId: string;
  before: Role | undefined;
  after: Role | undefined;
}

/** Whose roles are set anew, and by which provider. */
interface Giving {
  userId: number;
  provider: string;
}

/**
 * Gives the roles that a provider's groups give, and takes those that it gave before and gives no more. Memberships that
 * people gave stay as they are. `last`: what becomes of the last owner who can log in. Returns the sites whose members
 * have changed: the caller locks their memberships as the last of its transaction.
 */
export async function setRoles(
  trx: Knex,
  giving: Giving,
  roles: ReadonlyMap<string, Role>,
  audit: Audit,
  last: 'stays' | 'refuses',
): Promise<string[]> {
  const steps = await stepsOf(trx, giving, roles);
  for (const step of steps) await take(trx, giving, step, audit, last);
  return steps.map(({ environmentId }) => environmentId);
}

async function stepsOf(trx: Knex, { userId, provider }: Giving, roles: Granted['roles']): Promise<Step[]> {
  const sites = await EnvironmentRow.query(trx)
    .whereIn('token', [...roles.keys()])
    .whereNull('deleted_at')
    .select('id', 'token');
  const wanted = new Map(sites.map(({ id, token }) => [id, roles.get(token)]));
  const present = await MemberRow.query(trx).where({ user_id: userId });
  const own = new Map(present.map((member) => [member.environment_id, member]));
  const given = present.filter(({ given_by }) => given_by === provider).map((one) => one.environment_id);
  // In one order, so that two log-ins never wait for each other.
  return [...new Set([...wanted.keys(), ...given])].sort().flatMap((environmentId) => {
    const member = own.get(environmentId);
    const step = { environmentId, before: member?.role, after: wanted.get(environmentId) };
    const isTheirs = member === undefined || member.given_by === provider;
    return isTheirs && step.before !== step.after ? [step] : [];
  });
}

async function take(
  trx: Knex,
  { userId, provider }: Giving,
  { environmentId, before, after }: Step,
  audit: Audit,
  last: 'stays' | 'refuses',
): Promise<void> {
  const key = { environment_id: environmentId, user_id: userId };
  const note = { environmentId, userId, about: { resource: 'member' as const, resource_id: String(userId) } };
  if (before === 'owner') {
    await lockOwners(trx, environmentId, userId);
    if ((await soleOwner(trx, environmentId)) === userId) {
      if (last === 'refuses') throw lastOwner();
      await audit.write(trx, { ...note, changes: changesOf({}, { kept_as_last_owner: true }) });
      return;
    }
  }
  if (after === undefined) await takeBackInvitations(trx, environmentId, userId);
  await write(trx, key, before, after, provider);
  if (before !== undefined && (after === undefined || after === 'viewer')) await unassign(trx, key, provider);
  if (after === undefined) await deleteViewsOf(trx, key);
  if (before !== undefined) await withholdNotices(trx, key, after);
  if (before === 'owner') {
    await endInvitationsOf(trx, environmentId, userId);
    await revokeKeysOf(trx, userId, environmentId);
  }
  const changes = changesOf({ role: before }, { role: after, ...(after && { given_by: provider }) });
  await audit.write(trx, { ...note, changes });
}

/** Whoever may work on requests no more has none. */
async function unassign(
  trx: Knex,
  key: { environment_id: string; user_id: number },
  provider: string,
): Promise<void> {
  const { id, email } = await UserRow.query(trx).findById(key.user_id).throwIfNotFound();
  await unassignAll(trx, key, { userId: id, email }, `The groups of ${provider} ended their role.`);
}

async function write(
  trx: Knex,
  key: { environment_id: string; user_id: number },
  before: Role | undefined,
  after: Role | undefined,
  given_by: string,
): Promise<void> {
  if (after === undefined) await MemberRow.query(trx).delete().where(key);
  else if (before !== undefined) await MemberRow.query(trx).patch({ role: after }).where(key);
  else
    await trx('members')
      .insert({ ...key, role: after, given_by, added_at: clock.date() })
      .onConflict(['environment_id', 'user_id'])
      .ignore();
}

const lastOwner = () =>
  conflict('You are the last owner of a site who can log in: make somebody else an owner there first.');
