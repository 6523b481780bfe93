import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { refuseManyLists } from '../db/daily-limits';
import { DsarViewsRow } from '../db/models';
import { clock } from '../domain/clock';
import { conflict, type FieldError, ValidationError } from '../domain/errors';
import type { DsarView } from '../domain/types';

/** The account under which the views of all members are. */
export const SHARED = 0;

export interface List {
  version: number;
  views: DsarView[];
}

const listOf = (row: DsarViewsRow | undefined): List => ({
  version: row?.version ?? 0,
  views: row?.views ?? [],
});

/** The views of a member, and those of all members. */
export async function listsOf(
  db: Knex,
  environment_id: string,
  userId: number,
): Promise<{ own: List; shared: List }> {
  const rows = await DsarViewsRow.query(db).where({ environment_id }).whereIn('user_id', [userId, SHARED]);
  const of = (id: number): List => listOf(rows.find(({ user_id }) => user_id === id));
  return { own: of(userId), shared: of(SHARED) };
}

/** Replaces a list. Throws `ValidationError`, and 409 when somebody else was faster. */
export async function saveViews(
  trx: Knex.Transaction,
  environment_id: string,
  user_id: number,
  { views, expected_version }: { views: DsarView[]; expected_version?: number },
): Promise<{ before: List; after: List }> {
  check(views);
  const key = { environment_id, user_id };
  const updated_at = clock.date();
  // There is something to lock then, also before the first view is saved.
  await trx('dsar_views')
    .insert({ ...key, version: 0, views: '[]', updated_at })
    .onConflict(['environment_id', 'user_id'])
    .ignore();
  const row = await DsarViewsRow.query(trx).findOne(key).forUpdate();
  const before = listOf(row);
  // A client that repeats its request after a lost connection succeeds.
  if (isDeepStrictEqual(views, before.views)) return { before, after: before };
  if (expected_version !== undefined && expected_version !== before.version)
    throw conflict(
      `The views were changed meanwhile: their version is ${before.version} now, and your list was made of version ${expected_version}. Read the present ones, then save your change again.`,
    );
  const changed_on = updated_at.toISOString().slice(0, 10);
  const changes = row?.changed_on === changed_on ? row.changes : 0;
  refuseManyLists(changes);
  const after = { version: before.version + 1, views };
  await DsarViewsRow.query(trx)
    .where(key)
    .patch({ ...after, updated_at, changed_on, changes: changes + 1 });
  return { before, after };
}

/** A member who leaves takes their own views along. */
export const deleteViewsOf = async (
  trx: Knex,
  key: { environment_id: string; user_id: number },
): Promise<void> => void (await DsarViewsRow.query(trx).where(key).delete());

const STATES = ['status', 'open', 'overdue', 'due_within'] as const;
const DAYS = ['due_after', 'due_before', 'from', 'to'] as const;

/** Checks what a schema cannot express. */
function check(views: readonly DsarView[]): void {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { name, filters }] of views.entries()) {
    const path = `body.views.${index}`;
    const key = name.trim().toLowerCase();
    if (names.has(key))
      errors.push({
        path: `${path}.name`,
        message: 'is the name of another view of the list',
        code: 'unique',
      });
    names.add(key);
    if (STATES.filter((state) => filters[state] !== undefined).length > 1)
      errors.push({
        path: `${path}.filters`,
        message: `has more than one of ${STATES.join(', ')}`,
        code: 'conflict',
      });
    for (const field of DAYS) {
      const day = filters[field]?.slice(0, 10);
      if (day !== undefined && !exists(day))
        errors.push({
          path: `${path}.filters.${field}`,
          message: `names the day ${day}, which does not exist`,
          code: 'format',
        });
    }
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

const exists = (day: string): boolean => {
  const at = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};
