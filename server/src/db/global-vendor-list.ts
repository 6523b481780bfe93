import type { Knex } from 'knex';
import type { GlobalList, ListTexts } from '../domain/tcf/list';

/** The Global Vendor List as it is stored. */
export interface StoredList {
  list: GlobalList;
  /** By the tag of the banner's language. */
  translations: Record<string, ListTexts>;
  stored_at: Date;
}

/** Which list there is, and how the last look for a newer one ended. */
export interface ListState {
  version: number | null;
  stored_at: Date | null;
  checked_at: Date | null;
  problem: string | null;
}

const NONE: ListState = { version: null, stored_at: null, checked_at: null, problem: null };
const TABLE = 'global_vendor_list';

/** Without the list itself, which is large. */
export const listState = async (db: Knex): Promise<ListState> =>
  (await db<ListState>(TABLE).select('version', 'stored_at', 'checked_at', 'problem').first()) ?? NONE;

/** Undefined before there is one. */
export async function findList(db: Knex): Promise<StoredList | undefined> {
  const row = await db(TABLE).whereNotNull('version').select('list', 'translations', 'stored_at').first();
  return row as StoredList | undefined;
}

/** The tags of the languages that it has besides English. */
export async function listLanguages(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { tag: string }[] }>(
    `SELECT jsonb_object_keys(translations) AS tag FROM ${TABLE} ORDER BY 1`,
  );
  return rows.map(({ tag }) => tag);
}

/**
 * Puts a list in the place of the one before, unless that is newer. Answers whether it did.
 * @param always also in the place of a newer one
 */
export async function storeList(
  db: Knex,
  { list, translations, stored_at }: StoredList,
  { always = false } = {},
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `INSERT INTO ${TABLE} AS present (id, version, list, translations, stored_at, checked_at, problem)
     VALUES (1, :version, :list, :translations, :at, :at, NULL)
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, list = excluded.list,
       translations = excluded.translations, stored_at = excluded.stored_at,
       checked_at = excluded.checked_at, problem = NULL
     WHERE :always OR coalesce(present.version, 0) <= excluded.version
     RETURNING version`,
    {
      version: list.version,
      list: JSON.stringify(list),
      translations: JSON.stringify(translations),
      at: stored_at,
      always,
    },
  );
  return rows.length > 0;
}

/** Notes that it was looked for; the list that is there stays. */
export async function noteCheck(db: Knex, checked_at: Date, problem: string | null): Promise<void> {
  await db(TABLE).insert({ id: 1, checked_at, problem }).onConflict('id').merge(['checked_at', 'problem']);
}
