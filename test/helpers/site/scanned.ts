import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { keepPage } from '../../../server/src/db/scanned-pages';
import { pageOf } from '../../../server/src/domain/cookies/page';
import { DAY_MS } from '../../../server/src/domain/time';

interface Scanned {
  path: string;
  contacted?: readonly string[];
  held?: readonly string[];
  /** How long ago. */
  days?: number;
  /** Without a browser. */
  plain?: boolean;
  /** What else it says of itself. */
  findings?: readonly { rule: string; severity: 'info' | 'warning' | 'critical'; message: string }[];
}

/** Stores scans of a site's pages as if they had been done. */
export async function storeScans(db: Knex, token: string, scans: readonly Scanned[]): Promise<void> {
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const rows = scans.map(({ path, contacted = [], held = [], days = 0, plain = false, findings = [] }) => {
    const url = `https://shop.example.com/${path}`;
    const at = new Date(Date.now() - days * DAY_MS);
    return {
      ...{ scan_id: randomUUID(), environment_id, url, domain: 'shop.example.com', state: 'done', runs: 1 },
      engine: plain ? 'http' : 'browser',
      ...{ page: pageOf(url).page, created_at: at, finished_at: at, counted: true },
      result: {
        ...{ cookies: [], findings, banner_detected: true, held_hosts: held },
        conclusive: !plain && findings.length === 0,
        requests: contacted.map((host) => ({ host, count: 1 })),
      },
    };
  });
  await db('cookie_scans').insert(rows.map((row) => ({ ...row, result: JSON.stringify(row.result) })));
  // As when they are done, the oldest first.
  for (const row of rows.sort((one, other) => one.created_at.getTime() - other.created_at.getTime()))
    await keepPage(db, row as never);
}

/** As the daily job does when they are too old. */
export const forgetScans = (db: Knex, path: string): Promise<number> =>
  db('cookie_scans')
    .where({ url: `https://shop.example.com/${path}` })
    .delete();
