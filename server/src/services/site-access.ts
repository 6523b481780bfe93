import type { Knex } from 'knex';
import { EnvironmentRow } from '../db/models';
import { ApiError, forbidden, notFound } from '../domain/errors';
import type { Role } from '../domain/types';

/** Who asks, as far as it matters. */
interface Asking {
  userId: number;
  hasSecondFactor: boolean;
  /** The API key that was used; of one site, or null for all where its maker is an owner. */
  key?: { environmentId: string | null };
}

const RANK: Record<Role, number> = { viewer: 1, operator: 2, owner: 3 };

/** A site, as the caller names it or as it was found. */
type Named = { token: string } | { id: string };

/** What a check reads of a site, whose settings may be half a megabyte. */
const CHECKED = ['environments.id', 'environments.second_factor_required'];

/** Throws 403 and 404 for a caller who may not do at a site what the role `needed` may. */
export async function authorise(
  db: Knex,
  caller: Asking,
  site: Named,
  needed: Role,
): Promise<{ environment: Pick<EnvironmentRow, 'id'>; role: Role }> {
  return check(db, caller, site, needed, CHECKED);
}

/** The same, with the whole site, for who goes on to work with it. */
export const authoriseWithSite = (
  db: Knex,
  caller: Asking,
  site: Named,
  needed: Role,
): Promise<{ environment: EnvironmentRow; role: Role }> =>
  check(db, caller, site, needed, ['environments.*']);

/**
 * The one place where it is decided what a caller may at a site, by role, second factor and key. Another owner's site is
 * 404, as if it did not exist; a member whose role does not allow it gets 403.
 */
async function check(
  db: Knex,
  caller: Asking,
  site: Named,
  needed: Role,
  columns: readonly string[],
): Promise<{ environment: EnvironmentRow; role: Role }> {
  const [column, value] = 'id' in site ? ['id', site.id] : ['token', site.token];
  const found = await EnvironmentRow.query(db)
    .join('members', 'members.environment_id', 'environments.id')
    .where({ [`environments.${column}`]: value, 'members.user_id': caller.userId })
    .whereNull('environments.deleted_at')
    .select(...columns, 'members.role')
    .first();
  // A key for one site knows of no other.
  if (found === undefined || (caller.key?.environmentId ?? found.id) !== found.id)
    throw notFound('This environment');
  const { role, ...row } = found as EnvironmentRow & { role: Role };
  if (found.second_factor_required && !caller.hasSecondFactor) throw lacksFactor(caller);
  if (caller.key !== undefined && role !== 'owner')
    throw forbidden('Whoever made this API key is no owner of this environment: an owner can make another.');
  if (RANK[role] < RANK[needed]) {
    throw forbidden(`This needs the role ${needed}, and yours is ${role}: ask an owner of the environment.`);
  }
  return { environment: EnvironmentRow.fromDatabaseJson(row), role };
}

/** The same for what everybody may do, and a member may do more of. */
export async function isAllowed(
  db: Knex,
  caller: Asking | undefined,
  site: Named,
  needed: Role,
): Promise<boolean> {
  if (caller === undefined) return false;
  try {
    await authorise(db, caller, site, needed);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

const lacksFactor = ({ key }: Asking): ApiError =>
  new ApiError(
    403,
    'second_factor_required',
    key === undefined
      ? 'This environment requires a second factor: add one to your account, in the console under Your account.'
      : 'This environment requires a second factor, and whoever made this API key has none: they must add one.',
  );
