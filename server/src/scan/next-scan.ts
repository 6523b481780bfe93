import type { Knex } from 'knex';
import { ScanRow } from '../db/models';
import { HOUR_MS } from '../domain/time';

/** Starts longer ago count for no turn, in milliseconds. */
const ROUND = HOUR_MS;

/** When a scan like the one that waits was begun last; null: not in this round. */
const lastStart = (...alike: string[]): string => {
  const same = alike.map((column) => `past.${column} = cookie_scans.${column}`).join(' AND ');
  return `(SELECT max(past.started_at) FROM cookie_scans AS past WHERE ${same} AND past.started_at > ?) NULLS FIRST`;
};

/**
 * The scan whose turn is next among those that wait or whose process is gone, locked. Members go before
 * strangers, who may be left out. Among each of them turns go by group of accounts, then by requester, then by
 * registrable domain: whose last start is longest ago comes first, and of one's own the oldest. Reads what
 * waits, which is bounded, and its groups' starts of an hour.
 */
export const nextScan = (trx: Knex, now: Date, withStrangers: boolean) => {
  const since = new Date(now.getTime() - ROUND);
  return ScanRow.query(trx)
    .whereIn('state', ['queued', 'running'])
    .where((free) => free.where('state', 'queued').orWhere('lease_until', '<=', now))
    .modify((query) => void (withStrangers || query.where('by_member', true)))
    .orderBy('by_member', 'desc')
    .orderByRaw(lastStart('requester_group'), [since])
    .orderByRaw(lastStart('requester'), [since])
    .orderByRaw(lastStart('requester', 'registrable'), [since])
    .orderBy('created_at')
    .limit(1)
    .first()
    .forUpdate()
    .skipLocked();
};
