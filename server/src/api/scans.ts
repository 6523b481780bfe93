import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { EnvironmentRow, ScanRow } from '../db/models';
import { isFirstParty } from '../domain/scan/party';
import type { CookieScan } from '../domain/types';
import { conflict, notFound, unavailable, ValidationError } from '../errors';
import { SCAN_DAYS } from '../scan/limits';
import { readPage } from '../scan/target';
import type { Handler } from './handler';
import { readPage as readList, SHAPE_TIME, SHAPE_UUID } from './paging';

/** Scans that may wait in all: an hour's work of one process, about. */
const MAX_WAITING = 200;

/** The newest scan of a site that is done; the evidence of what happens before consent. */
export const newestScan = (db: Knex, environment_id: string) =>
  ScanRow.query(db)
    .where({ environment_id, state: 'done' })
    .where('created_at', '>', oldest())
    .orderBy('finished_at', 'desc')
    .first();

export const startCookieScan: Handler<operations['startCookieScan']> = async (
  { scanPolicy, scans },
  { body, trx, afterCommit },
) => {
  const { url, host, domain } = readPage(body.url, scanPolicy);
  const environment_id = body.token === undefined ? null : await siteOfPage(trx, body.token, host);
  const waiting = await ScanRow.query(trx).where({ state: 'queued' }).resultSize();
  if (waiting >= MAX_WAITING) throw unavailable('Too many scans are waiting: try again later.', 60);
  // Random, not a UUIDv7: the id alone opens the result, so its time of birth must not help to guess it.
  const scan_id = randomUUID();
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `INSERT INTO cookie_scans (scan_id, environment_id, url, domain, state, runs, created_at)
     VALUES (:scan_id, :environment_id, :url, :domain, 'queued', 0, :now)
     ON CONFLICT (domain) WHERE state IN ('queued', 'running') DO NOTHING RETURNING scan_id`,
    { scan_id, environment_id, url, domain, now: new Date() },
  );
  if (rows.length === 0)
    throw conflict(`A scan of ${domain} is waiting or running: start another one when it is over.`);
  afterCommit(() => scans.wake());
  return { scan_id, status: 'queued' };
};

export const getScan: Handler<operations['getScan']> = async ({ db }, { params }) => {
  const row = await ScanRow.query(db)
    .findById(params.scan_id.toLowerCase())
    .where('created_at', '>', oldest());
  if (row === undefined) throw notFound('This scan');
  return view(row);
};

export const listScans: Handler<operations['listScans']> = async ({ db }, { environment, query }) =>
  readList({
    query: ScanRow.query(db).where({ environment_id: environment.id }).where('created_at', '>', oldest()),
    order: ['created_at', 'scan_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });

const oldest = (): Date => new Date(Date.now() - SCAN_DAYS * 86_400_000);

/** The site that a page is scanned for: only its own pages, since what is found counts for its score. Throws 404 and 400. */
async function siteOfPage(trx: Knex, token: string, host: string): Promise<string> {
  const environment = await EnvironmentRow.query(trx).findOne({ token });
  if (environment === undefined) throw notFound('This environment');
  if (!environment.domains.some((domain) => isFirstParty(host, domain)))
    throw ValidationError.of('body.url', "must be on one of the environment's domains", 'domain');
  return environment.id;
}

function view(row: ScanRow): CookieScan {
  const { result } = row;
  return {
    scan_id: row.scan_id,
    url: row.url,
    status: row.state,
    engine: row.engine,
    cookies: result?.cookies ?? [],
    requests: result?.requests ?? [],
    banner_detected: result?.banner_detected ?? null,
    findings: result?.findings ?? [],
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
