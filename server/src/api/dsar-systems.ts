import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { DsarRow, EnvironmentRow, RequestSearchRow, SiteSystemsRow } from '../db/models';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { newId } from '../domain/ids';
import { MOST_LINES, type NamedSystem, notListed, systemKey, systemsNamed } from '../domain/search-list';
import type { SiteSystem } from '../domain/types';
import { dsarKey } from '../services/dsar-view';
import { linesOf, searchListView, siteSystems } from '../services/search-lists';
import type { Handler } from './handler';

const systemsView = (row: SiteSystemsRow | undefined) => ({
  systems: row?.systems ?? [],
  version: row?.version ?? 0,
  updated_at: row?.updated_at.toISOString() ?? null,
});

export const getSiteSystems: Handler<'getSiteSystems'> = async ({ db }, { environment }) =>
  systemsView(await siteSystems(db, environment.id));

export const setSiteSystems: Handler<'setSiteSystems'> = async (_, { environment, body, trx, audit }) => {
  const { systems, expected_version: expected } = body;
  checkNames(systems);
  const environment_id = environment.id;
  // Locked, also while the site has no list yet.
  await EnvironmentRow.query(trx).findById(environment_id).forNoKeyUpdate();
  const row = await siteSystems(trx, environment_id);
  if (isDeepStrictEqual(systems, row?.systems ?? [])) {
    audit.nothingChanged();
    return systemsView(row);
  }
  // The row itself is changed below.
  const before = row?.systems ?? [];
  const version = row?.version ?? 0;
  if (expected !== undefined && expected !== version)
    throw conflict(
      `The systems were changed by somebody else: their version is ${version} now, and your list was made from version ${expected}. Read the present ones, then save your change again.`,
    );
  const next = { systems, version: version + 1, updated_at: clock.date() };
  const saved =
    row === undefined
      ? await SiteSystemsRow.query(trx).insertAndFetch({ environment_id, ...next })
      : await row.$query(trx).patchAndFetch(next);
  audit.note({ changes: changesOf({ systems: before }, { systems }) });
  return systemsView(saved);
};

/** Throws `ValidationError` for a name that is there twice. */
function checkNames(systems: readonly SiteSystem[]): void {
  const known = new Set<string>();
  systems.forEach(({ name }, at) => {
    if (known.has(systemKey(name)))
      throw ValidationError.of(`body.systems.${at}.name`, 'is there already', 'uniqueItems');
    known.add(systemKey(name));
  });
}

export const getSearchList: Handler<'getSearchList'> = async ({ db }, { environment, params }) => {
  const row = await DsarRow.query(db).findOne(dsarKey(environment, params.request_id)).select('request_id');
  if (row === undefined) throw notFound('This data-subject request');
  return searchListView(db, environment, await linesOf(db, environment.id, row.request_id));
};

/** Locked, so that no line is changed after the answer. Throws 404 and 409. */
async function openRequest(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  const row = await DsarRow.query(trx).findOne(dsarKey(environment, request_id)).forUpdate();
  if (row === undefined) throw notFound('This data-subject request');
  if (row.status === 'resolved')
    throw conflict('The request is resolved: reopen it to change which systems were searched.');
  return row;
}

export const fillSearchList: Handler<'fillSearchList'> = async (
  _,
  { environment, params, body, trx, audit },
) => {
  const { environment_id, request_id } = await openRequest(trx, environment, params.request_id);
  const present = await linesOf(trx, environment_id, request_id);
  const listed = present.map(({ name }) => name);
  const added = (body.names ?? []).map((name): NamedSystem => ({ name, origin: 'added' }));
  const wanted = notListed(added, listed);
  if (present.length + wanted.length > MOST_LINES)
    throw conflict(`A request has at most ${MOST_LINES} systems on its list: leave some out.`);
  const named = systemsNamed((await siteSystems(trx, environment_id))?.systems ?? [], environment.settings);
  const further = notListed(named, [...listed, ...wanted.map(({ name }) => name)]);
  const all = [...further.slice(0, MOST_LINES - present.length - wanted.length), ...wanted];
  if (all.length === 0) {
    audit.nothingChanged();
    return searchListView(trx, environment, present);
  }
  await RequestSearchRow.query(trx).insert(
    all.map(({ name, origin }) => ({
      ...{ environment_id, request_id, line_id: newId(), name, origin, state: 'open' as const, version: 1 },
    })),
  );
  // Without the names, which may say something of a person.
  audit.note({ changes: changesOf({ systems: present.length }, { systems: present.length + all.length }) });
  return searchListView(trx, environment, await linesOf(trx, environment_id, request_id));
};

export const updateSearchLine: Handler<'updateSearchLine'> = async (
  _,
  { environment, params, body, caller, trx, audit },
) => {
  const { environment_id, request_id } = await openRequest(trx, environment, params.request_id);
  const line_id = params.line_id.toLowerCase();
  const line = await RequestSearchRow.query(trx).findById([environment_id, request_id, line_id]);
  if (line === undefined) throw notFound('This system of the request');
  const { expected_version: expected, state = line.state, note = line.note } = body;
  const answer = async () => searchListView(trx, environment, await linesOf(trx, environment_id, request_id));
  if (state === line.state && note === line.note) {
    audit.nothingChanged();
    return answer();
  }
  if (expected !== undefined && expected !== line.version)
    throw conflict(
      `This system was changed by somebody else: its version is ${line.version} now, and your change was made from version ${expected}. Read the present one, then save your change again.`,
    );
  await line.$query(trx).patch({
    ...{ state, note, actor: caller.email, user_id: caller.userId, key_id: caller.key?.id ?? null },
    ...{ at: clock.date(), version: line.version + 1 },
  });
  // The note may say something of a person: it is erased with the request, and the trail is not.
  audit.note({
    changes: changesOf(
      { systems: [{ id: line_id, state: line.state }] },
      { systems: [{ id: line_id, state }] },
    ),
  });
  return answer();
};
