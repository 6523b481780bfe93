import { randomBytes, randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { keepGroupKey } from '../../server/src/db/ledger/group-key';
import { writeTiles } from '../../server/src/db/ledger/tree-rows';
import { newId } from '../../server/src/domain/ids';
import { GrowingTree } from '../../server/src/domain/ledger/append';
import { proveGrowth, proveLeaf } from '../../server/src/ledger/proofs';
import { Sealer } from '../../server/src/ledger/seal';
import { createLogger } from '../../server/src/observability/logger';
import { Vault } from '../../server/src/security/vault';
import { writeBacklog } from './backlog';

const KEY = randomBytes(32);
/** Leaves that are appended between two writes. */
const STEP = 256 * 256;

async function withDatabase<Result>(url: string, work: (db: Knex) => Promise<Result>): Promise<Result> {
  const db = connect(url, 4);
  keepGroupKey(db, KEY);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Seals so many records of one site: the seconds that it takes, and those of this process's core. */
export const sealMany = (url: string, records: number): Promise<{ seconds: number; cpu: number }> =>
  withDatabase(url, async (db) => {
    // What the making of the sites left has another secret.
    await db('ledger_pending').delete();
    const { id } = await db('environments').first('id');
    await writeBacklog(db, id, records);
    const sealer = new Sealer({
      ...{ db, log: createLogger('error'), vault: new Vault(KEY.toString('base64')) },
      publicUrl: () => 'https://consent.example.com',
    });
    const before = process.cpuUsage();
    const begun = performance.now();
    await sealer.run();
    const { user, system } = process.cpuUsage(before);
    const { size } = await db('ledger_heads').where({ environment_id: id }).first('size');
    if (Number(size) < records) throw new Error(`only ${size} records were sealed`);
    return { seconds: (performance.now() - begun) / 1_000, cpu: (user + system) / 1e6 };
  });

/** A log of many leaves, a second of each 256. */
export interface FilledLog {
  id: string;
  leaves: number;
  start: number;
  /** Some of its leaves, with their commitments. */
  some: { leaf: number; commitment: string }[];
}

/** Writes a log of a site of its own, with the rows that sealing would leave. */
export const fillLog = (url: string, leaves: number): Promise<FilledLog> =>
  withDatabase(url, async (db) => {
    const environment_id = newId();
    const tree = new GrowingTree(0, []);
    const start = Math.floor(Date.now() / 1_000) * 1_000 - leaves;
    const some: FilledLog['some'] = [];
    while (tree.size < leaves) {
      const commitments = randomBytes(32 * Math.min(STEP, leaves - tree.size));
      const at = randomInt(commitments.length / 32);
      some.push({ leaf: tree.size + at, commitment: commitments.toString('hex', at * 32, at * 32 + 32) });
      tree.append(commitments);
      await writeTiles(db, environment_id, tree.takeChanged());
    }
    await db.raw(
      `INSERT INTO ledger_segments SELECT :id::uuid, n * 256, least(256, :leaves - n * 256),
         to_timestamp(:start::float8 / 1000) + n * interval '256 ms', to_timestamp(:start::float8 / 1000) + n * interval '256 ms' + interval '255 ms', false
       FROM generate_series(0, (:leaves::bigint - 1) / 256) AS n`,
      { id: environment_id, leaves, start },
    );
    await db('ledger_heads').insert({
      ...{ environment_id, origin: 'x', size: leaves, root: tree.root(), note: '', key_id: '' },
      ...{ began_at: new Date(), sealed_at: new Date(), import_done: true },
    });
    await db.raw('VACUUM ANALYZE ledger_segments, ledger_entries, ledger_tiles');
    return { id: environment_id, leaves, start, some };
  });

/** Of one leaf: milliseconds, and the rows of the larger proof. */
export interface ProofTimes {
  inclusion: number;
  consistency: number;
  rows: number;
}

/** Proves leaves, and that the log before them is its beginning. */
export const proveSome = (
  url: string,
  { id, leaves, start, some }: FilledLog,
  most: number,
): Promise<ProofTimes[]> =>
  withDatabase(url, async (db) => {
    let rows = 0;
    db.on('query-response', (response: unknown) => {
      rows += Array.isArray(response) ? response.length : 1;
    });
    const times: ProofTimes[] = [];
    for (let n = 0; n < most; n += 1) {
      const { leaf, commitment } = some[n % some.length] as FilledLog['some'][number];
      rows = 0;
      const first = performance.now();
      const found = await proveLeaf(db, id, commitment, new Date(start + leaf));
      const second = performance.now();
      const ofInclusion = rows;
      rows = 0;
      if (found?.leaf !== leaf) throw new Error('a leaf was not found at its place');
      await proveGrowth(db, id, leaf + 1, leaves);
      times.push({
        inclusion: second - first,
        consistency: performance.now() - second,
        rows: Math.max(rows, ofInclusion),
      });
    }
    return times;
  });
