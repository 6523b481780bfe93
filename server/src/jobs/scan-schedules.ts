import type { Knex } from 'knex';
import type { Context } from '../context';
import { endsAll } from '../db/errors';
import { type DuePage, duePage, noteEnds, noteFailure, noteStart, putOff } from '../db/scheduled-scans';
import { isFirstParty, siteOf } from '../domain/cookies/party';
import { nextTurn } from '../domain/cookies/scan-turns';
import { ApiError } from '../domain/errors';
import { MINUTE_MS } from '../domain/time';
import { logFailure } from '../observability/failures';
import { type Page, readPage } from '../scan/target';
import { waitInLine } from '../scan/wait-in-line';
import { memberRequester } from '../services/scan-requester';

/** Scheduled scans of all sites that wait or run at once: whoever starts one by hand waits behind no more. */
const AT_ONCE = 10;
/** Of these, of one group of accounts: pages that never answer would keep those of all others from their turn. */
const OF_ONE = 2;
/** How long a turn is put off while too much waits, in milliseconds. */
const LATER = 10 * MINUTE_MS;

type Wiring = Pick<Context, 'config' | 'db' | 'log' | 'vault' | 'scanPolicy'>;

/**
 * Notes how scheduled scans ended, and starts those whose turn it is, of a site one after the other. Each start is one
 * transaction with its place in line, so that a process that dies in between loses none and repeats none. `now` must be
 * the database's time.
 */
export async function startScheduledScans(wiring: Wiring, now: Date, signal?: AbortSignal): Promise<void> {
  const { config, db, log } = wiring;
  const underWay = await noteEnds(db, now);
  if (config.scans === 'off') return;
  const failed: string[] = [];
  let started = 0;
  const all = (): number => [...underWay.values()].reduce((sum, n) => sum + n, 0);
  while (all() < AT_ONCE && !signal?.aborted) {
    const enough = [...underWay].filter(([, n]) => n >= OF_ONE).map(([group]) => group);
    const { outcome, group } = await startNext(wiring, now, { enough, failed });
    if (group === undefined) break;
    if (outcome !== 'started') continue;
    underWay.set(group, (underWay.get(group) ?? 0) + 1);
    started += 1;
  }
  if (started > 0) log.info({ scans: started }, 'scheduled scans were started');
  if (failed.length > 0)
    throw new Error(`the scheduled scans of ${failed.length} sites could not be started`);
}

/** Of a page of a group of accounts; without one there was none. */
interface Turn {
  outcome: 'none' | 'started' | 'failed' | 'put off';
  group?: number;
}

/** Of which groups and sites no page is started any more in this run. */
interface Passed {
  enough: readonly number[];
  /** Those at which something went wrong: it must not keep the others from their turn. */
  failed: string[];
}

async function startNext({ db, log, ...wiring }: Wiring, now: Date, passed: Passed): Promise<Turn> {
  let due: DuePage | undefined;
  try {
    return await db.transaction(async (trx) => {
      due = await duePage(trx, now, passed);
      return due === undefined ? { outcome: 'none' } : startPage(wiring, trx, due, now);
    });
  } catch (error) {
    // Without a database, or a page that it could be of, none can be started.
    if (due === undefined || endsAll(error)) throw error;
    const { environment_id, group_id: group } = due;
    const words = 'a scheduled scan could not be started; it is tried again';
    logFailure(log, 'error', { error, environment_id }, words);
    passed.failed.push(environment_id);
    return { outcome: 'failed', group };
  }
}

async function startPage(
  { vault, scanPolicy }: Pick<Wiring, 'vault' | 'scanPolicy'>,
  trx: Knex.Transaction,
  due: DuePage,
  now: Date,
): Promise<Turn> {
  const group = due.group_id;
  const next_at = nextTurn(due.every, `${due.environment_id} ${due.url}`, now);
  const target = targetOf(due, scanPolicy);
  if ('error' in target) {
    await noteFailure(trx, due, { error: target.error, next_at, now });
    return { outcome: 'failed', group };
  }
  const requester = memberRequester(vault, { userId: due.user_id, group: due.group_id });
  const site = { environmentId: due.environment_id, siteToken: due.token };
  try {
    await noteStart(trx, due, await waitInLine(trx, requester, target, site), next_at);
    return { outcome: 'started', group };
  } catch (error) {
    // The line is full, or a scan of the domain is under way: nothing was written.
    if (!(error instanceof ApiError)) throw error;
    await putOff(trx, due, new Date(now.getTime() + LATER));
    return { outcome: 'put off', group };
  }
}

/** The page, or why it is not scanned: what was true when the schedule was set need not be so any more. */
function targetOf(
  { url, domains, proven }: DuePage,
  policy: Context['scanPolicy'],
): Page | { error: string } {
  let page: Page;
  try {
    page = readPage(url, policy);
  } catch {
    return { error: 'This address is not one that can be scanned.' };
  }
  const { host } = page;
  if (!domains.some((domain) => isFirstParty(host, domain)))
    return { error: "The page is on none of the site's domains any more: take it out of the schedule." };
  if (!proven.some((domain) => isWithin(host, domain)))
    return {
      error: 'Nothing proves that the domain of the page is yours: prove it in the settings of the site.',
    };
  return page;
}

/** Whoever has a domain has its subdomains, not the other way round. */
const isWithin = (host: string, domain: string): boolean =>
  siteOf(host) === siteOf(domain) || host.endsWith(`.${siteOf(domain)}`);
