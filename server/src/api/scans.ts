import type { Knex } from 'knex';
import type { Context } from '../context';
import { EnvironmentRow, ScanRow } from '../db/models';
import { readPage as readList, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { isScan } from '../domain/analytics';
import { bounded } from '../domain/cookies/bounded';
import { isFirstParty } from '../domain/cookies/party';
import { forbidden, notFound, unauthorized, ValidationError } from '../domain/errors';
import { groupOf, subnetOf } from '../domain/mask';
import type { CookieScan } from '../domain/types';
import { readPage } from '../scan/target';
import { type Requester, waitInLine } from '../scan/wait-in-line';
import { oldestScan } from '../services/evidence';
import { memberRequester } from '../services/scan-requester';
import { isAllowed } from '../services/site-access';
import type { Caller, Handler } from './handler';

export const startCookieScan: Handler<'startCookieScan'> = async (
  { config, scanPolicy, scans, vault },
  { body, caller, client, address, trx, afterCommit, audit },
) => {
  mayScan(config.scans, caller);
  // It would stand in the line as if it were asked for from this server's own address.
  if (caller === undefined && isScan(client.userAgent))
    throw forbidden('A page that is scanned starts no scan.');
  const page = readPage(body.url, scanPolicy);
  const site = body.token === undefined ? undefined : await siteOfPage(trx, body.token, page.host);
  // The token is public, and a scan that counts changes the site's score.
  const counts = site !== undefined && (await isAllowed(trx, caller, { id: site.id }, 'operator'));
  const environmentId = counts ? site.id : null;
  const requester = requesterOf(vault, caller, address);
  const scan_id = await waitInLine(trx, requester, page, { environmentId, siteToken: site?.token ?? null });
  audit.note({ environmentId });
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
  const environment = await EnvironmentRow.query(trx).findOne({ token, deleted_at: null });
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

/** An account, or without a login a network and its block, by a keyed fingerprint. */
function requesterOf(vault: Context['vault'], caller: Caller | undefined, address: string): Requester {
  if (caller === undefined) {
    const [id, group] = [subnetOf(address), groupOf(address)].map((network) =>
      vault.fingerprint('scan network', network),
    ) as [Buffer, Buffer];
    return { byMember: false, id, group, began: false };
  }
  return memberRequester(vault, caller);
}

function view(row: ScanRow): CookieScan {
  // Of scans from before there was a bound.
  const result = row.result && bounded(row.result);
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
