import type { Knex } from 'knex';
import { type EnvironmentRow, RequestSearchRow, SiteSystemsRow } from '../db/models';
import { notListed, systemsNamed } from '../domain/search-list';
import type { SearchList } from '../domain/types';

/** The lines of a request, in the order in which they were put on its list. */
export const linesOf = (db: Knex, environment_id: string, request_id: string): Promise<RequestSearchRow[]> =>
  RequestSearchRow.query(db).where({ environment_id, request_id }).orderBy('line_id').execute();

/** The systems that a site lists itself. */
export const siteSystems = (db: Knex, environment_id: string): Promise<SiteSystemsRow | undefined> =>
  SiteSystemsRow.query(db).findById(environment_id).execute();

/** A line as the contract has it. */
export const lineView = ({ line_id, name, origin, state, note, actor, at, version }: RequestSearchRow) => ({
  ...{ line_id, name, origin, state, note, version },
  ...{ by: actor, at: at?.toISOString() ?? null },
});

/** The list of a request as the contract has it. */
export async function searchListView(
  db: Knex,
  { id, settings }: Pick<EnvironmentRow, 'id' | 'settings'>,
  lines: readonly RequestSearchRow[],
): Promise<SearchList> {
  const row = await siteSystems(db, id);
  const missing = notListed(
    systemsNamed(row?.systems ?? [], settings),
    lines.map(({ name }) => name),
  );
  return {
    lines: lines.map(lineView),
    ...countsOf(lines),
    not_listed: missing.length,
  };
}

/** "4 of 6 searched". */
export const countsOf = (
  lines: readonly Pick<RequestSearchRow, 'state'>[],
): { searched: number; total: number } => ({
  searched: lines.filter(({ state }) => state !== 'open').length,
  total: lines.length,
});
