import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { EnvironmentRow, MemberRow, ScanRow } from '../db/models';
import { readPage as readList, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { clock } from '../domain/clock';
import { isFirstParty } from '../domain/cookies/party';
import { conflict, forbidden, notFound, unauthorized, unavailable, ValidationError } from '../domain/errors';
import type { CookieScan } from '../domain/types';
import { readPage } from '../scan/target';
import { oldestScan } from '../services/evidence';
import type { Caller, Handler } from './handler';

/** Scans that may wait in total: about an hour's work of one process. */
const MAX_WAITING = 200;

export const startCookieScan: Handler<'startCookieScan'> = async (
  { config, scanPolicy, scans },
  { body, caller, trx, afterCommit },
) => {
  mayScan(config.scans, caller);
  const { url, host, domain } = readPage(body.url, scanPolicy);
  const site = body.token === undefined ? undefined : await siteOfPage(trx, body.token, host);
  const environment_id = site !== undefined && (await acts(trx, site, caller)) ? site.id : null;
  const site_token = site?.token ?? null;
  const waiting = await ScanRow.query(trx).where({ state: 'queued' }).resultSize();
  if (waiting >= MAX_WAITING) throw unavailable('Too many scans are waiting: try again later.', 60);
  // Random, not a UUIDv7: the id alone opens the result, so it must not be guessable from the time it was
  // made.
  const scan_id = randomUUID();
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `INSERT INTO cookie_scans (scan_id, environment_id, site_token, url, domain, state, runs, created_at)
     VALUES (:scan_id, :environment_id, :site_token, :url, :domain, 'queued', 0, :now)
     ON CONFLICT (domain) WHERE state IN ('queued', 'running') DO NOTHING RETURNING scan_id`,
    { scan_id, environment_id, site_token, url, domain, now: clock.date() },
  );
  if (rows.length === 0)
    throw conflict(`A scan of ${domain} is waiting or running: start another one when it is over.`);
  afterCommit(() => scans.wake());
  return { scan_id, status: 'queued' };
};

export const getScan: Handler<'getScan'> = async ({ db }, { params }) => {
  const row = await ScanRow.query(db)
    .findById(params.scan_id.toLowerCase())
    .where('created_at', '>', oldestScan());
  if (row === undefined) throw notFound('This scan');
  return view(row);
};

export const listScans: Handler<'listScans'> = async ({ db }, { environment, query }) =>
  readList({
    query: ScanRow.query(db).where({ environment_id: environment.id }).where('created_at', '>', oldestScan()),
    order: ['created_at', 'scan_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });

/**
 * The site that a page is scanned for. Only its own pages, because the findings count for its score. Throws
 * 404 and 400.
 */
async function siteOfPage(trx: Knex, token: string, host: string): Promise<EnvironmentRow> {
  const environment = await EnvironmentRow.query(trx).findOne({ token });
  if (environment === undefined) throw notFound('This environment');
  if (!environment.domains.some((domain) => isFirstParty(host, domain)))
    throw ValidationError.of('body.url', "must be on one of the environment's domains", 'domain');
  return environment;
}

/** Throws 403 or 401 when the operator does not allow the caller to scan. */
function mayScan(scans: Context['config']['scans'], caller: Caller | undefined): void {
  if (scans === 'off') throw forbidden('Cookie scans are turned off on this server (SCANS=off).');
  if (scans === 'members' && caller === undefined)
    throw unauthorized('Log in to start a scan: this server scans for people with an account only.');
}

/**
 * Whether the caller is at least an operator of the site: its token is public, and a scan that counts changes
 * its score.
 */
async function acts(trx: Knex, site: EnvironmentRow, caller: Caller | undefined): Promise<boolean> {
  if (caller === undefined) return false;
  const member = await MemberRow.query(trx).findById([site.id, caller.userId]).select('role');
  return member !== undefined && member.role !== 'viewer';
}

function view(row: ScanRow): CookieScan {
  const { result } = row;
  return {
    scan_id: row.scan_id,
    url: row.url,
    status: row.state,
    engine: row.engine,
    // Scans from before other kinds were told have cookies without a kind.
    cookies: (result?.cookies ?? []).map((cookie) => ({ ...cookie, storage: 'cookie' })),
    stored_items: result?.stored_items ?? [],
    requests: result?.requests ?? [],
    banner_detected: result?.banner_detected ?? null,
    findings: result?.findings ?? [],
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
