import type { Database } from '../database';
import type { Figure } from '../figure';
import { variedBeacons } from '../kinds';

/** Gone after a day, or 30 with an older version. */
const KEYS = /^idempotency_keys/;
/** Tables, with their partitions and indexes, that a decision grows; what is left over is kept as a detail. */
const PARTS = {
  'as a record': /^consents/,
  'as latest choice': /^session_choices/,
  'as idempotency key': KEYS,
};

/** Each with other visitors. */
const LAPS = 40;

/** What decisions with all that banners send cost on disk, in bytes. */
export const bytes: Figure = {
  name: 'bytes',
  async run({ stage, report, quick }) {
    const writes = quick ? 20_000 : 200_000;
    const host = await stage.host('avow_bytes', {}, variedBeacons(0));
    const before = await sizesOf(host.database);
    for (let lap = 0; lap < LAPS; lap += 1)
      await stage.ask(host, variedBeacons(lap * 64), 64, { count: writes / LAPS });
    const after = await sizesOf(host.database);
    const grown = new Map(
      [...after].map(([name, size]) => [name, (size - (before.get(name) ?? 0)) / writes] as const),
    );
    let all = 0;
    let kept = 0;
    for (const [part, tables] of Object.entries(PARTS)) {
      const sum = [...grown].reduce((total, [name, size]) => total + (tables.test(name) ? size : 0), 0);
      all += sum;
      if (tables !== KEYS) kept += sum;
      report.outcome('bytes', `bytes of a decision ${part}`, sum);
    }
    report.outcome('bytes', 'bytes of a decision, all in', all, { most: 300 });
    report.outcome('bytes', 'bytes of a decision, after a month', kept, { most: 150 });
    report.detail('bytes', Object.fromEntries([...grown].filter(([, size]) => size >= 0.1).sort()));
    await host.ledger.check();
    await host.avow.stop();
  },
};

/** The size of each table and index that is not the system's. */
async function sizesOf({ sql }: Database): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; size: string }>(
    `SELECT relname AS name, pg_relation_size(oid) + CASE WHEN relkind = 'r' THEN pg_relation_size(oid, 'fsm') ELSE 0 END AS size
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')`,
  );
  return new Map(rows.map(({ name, size }) => [name, Number(size)]));
}
