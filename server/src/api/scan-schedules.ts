import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { EnvironmentRow, ScanScheduleRow, ScheduledPageRow } from '../db/models';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { pageOf } from '../domain/cookies/page';
import { isFirstParty } from '../domain/cookies/party';
import { nextTurn } from '../domain/cookies/scan-turns';
import { conflict, ValidationError } from '../domain/errors';
import type { ScanEvery } from '../domain/types';
import { readPage } from '../scan/target';
import { scheduleView } from '../services/scan-schedules';
import type { Handler } from './handler';

export const getScanSchedule: Handler<'getScanSchedule'> = (context, { environment }) =>
  scheduleView(context, context.db, environment);

export const setScanSchedule: Handler<'setScanSchedule'> = async (
  context,
  { environment, body, caller, trx, audit },
) => {
  const { every, expected_version: expected } = body;
  const pages = readPages(body.pages, environment, context.scanPolicy);
  if (every !== 'off' && pages.length === 0)
    throw ValidationError.of('body.pages', 'must name at least one page, unless every is off', 'minItems');
  const environment_id = environment.id;
  await EnvironmentRow.query(trx).findById(environment_id).forNoKeyUpdate();
  const row = await ScanScheduleRow.query(trx).findById(environment_id);
  // Locked, because a job notes how its turns end.
  const present = await ScheduledPageRow.query(trx).where({ environment_id }).orderBy('position').forUpdate();
  const version = row?.version ?? 0;
  const before = { every: row?.every ?? 'off', pages: present.map(({ url }) => url) };
  const isThere = row?.user_id === caller.userId && isDeepStrictEqual(before, { every, pages });
  if (isThere) {
    audit.nothingChanged();
    return scheduleView(context, trx, environment);
  }
  if (expected !== undefined && expected !== version)
    throw conflict(
      `The schedule was changed by somebody else: its version is ${version} now, and your change was made from version ${expected}. Read the present one, then save your change again.`,
    );
  const now = clock.date();
  const changed = { every, user_id: caller.userId, version: version + 1, updated_at: now };
  if (row === undefined) await ScanScheduleRow.query(trx).insert({ environment_id, ...changed });
  else await row.$query(trx).patch(changed);
  await replacePages(
    trx,
    environment_id,
    present,
    pagesAfter(environment_id, present, { every, pages }, now),
  );
  audit.note({ changes: changesOf(before, { every, pages }) });
  return scheduleView(context, trx, environment);
};

/** The addresses of pages of the site. Throws `ValidationError`. */
function readPages(
  urls: readonly string[],
  { domains }: EnvironmentRow,
  policy: Context['scanPolicy'],
): string[] {
  const known = new Set<string>();
  return urls.map((text, at) => {
    const field = `body.pages.${at}`;
    const { url, host } = readPage(text, policy, field);
    if (!domains.some((domain) => isFirstParty(host, domain)))
      throw ValidationError.of(field, "must be on one of the environment's domains", 'domain');
    const { page } = pageOf(url);
    if (known.has(page.toString('hex')))
      throw ValidationError.of(field, 'names the same page as an earlier one', 'uniqueItems');
    known.add(page.toString('hex'));
    return url;
  });
}

const FRESH = { scan_id: null, under_way: false, failures: 0, failed_since: null, error: null };

/** A page that stays keeps what is known of its last turns. */
function pagesAfter(
  environment_id: string,
  present: readonly ScheduledPageRow[],
  { every, pages }: { every: ScanEvery; pages: readonly string[] },
  now: Date,
): Partial<ScheduledPageRow>[] {
  const known = new Map(present.map((page) => [page.url, page]));
  return pages.map((url, position) => {
    const { scan_id, under_way, failures, failed_since, error } = known.get(url) ?? FRESH;
    return {
      ...{ environment_id, position, url, scan_id, under_way, failures, failed_since, error },
      next_at: every === 'off' ? null : nextTurn(every, `${environment_id} ${url}`, now),
    };
  });
}

async function replacePages(
  trx: Knex,
  environment_id: string,
  present: readonly ScheduledPageRow[],
  pages: Partial<ScheduledPageRow>[],
): Promise<void> {
  if (present.length > 0) await ScheduledPageRow.query(trx).delete().where({ environment_id });
  if (pages.length > 0) await ScheduledPageRow.query(trx).insert(pages);
}
