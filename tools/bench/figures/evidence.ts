import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditAsked, AuditTimes } from '../audit-log';
import { SECRETS_KEY } from '../avow';
import { SMALL_HEAP } from '../child';
import type { Database } from '../database';
import type { Bench, Figure } from '../figure';
import { consents } from '../kinds';
import { median } from '../numbers';
import { type PackTaken, takePacks } from '../pack-memory';
import { type Pace, race, ratio } from '../race';
import { avowWithCpu } from '../references';
import { BESIDE, raceBesideSealing } from '../seal-beside';
import { fillLog, type ProofTimes, proveSome, sealMany } from '../seal-log';
import type { Stage } from '../stage';
import { verifyInBrowser } from '../verify-in-browser';
import type { Year, YearAsked } from '../year';

const REMOVE = join(__dirname, '..', 'without-log.js');
/** Tables of the log that grow with its records. */
const GROWING = ['ledger_entries', 'ledger_tiles', 'ledger_segments', 'ledger_pending'];
/** Bytes of a blinding in its record. */
const BLINDING = 16;

/** Two servers that differ by less than two laps of one do: more laps than elsewhere, and shorter ones. */
const LAPS: Pace = { rounds: 41, seconds: 1 };

const BESIDE_LAPS: Pace = { rounds: 15, seconds: 3 };
/** The largest ratio of memory that counts as constant. */
const FLAT = 1.2;

/** What the evidence log costs: visitors, disk, sealing, proofs of a large log, and whoever verifies. */
export const evidence: Figure = {
  name: 'evidence',
  async run(bench) {
    await measureWrites(bench);
    await measureBeside(bench);
    await measurePacks(bench);
    await measureVerifying(bench);
    const { stage, report, quick } = bench;
    const database = await stage.database('avow_sealing');
    const sealed = await sealMany(database.url, 100_000);
    report.outcome('evidence', 'seconds of one core to seal 100,000 records', sealed.cpu, { most: 3 });
    report.detail('evidence sealing', sealed);
    await measureAudit(bench);
    const leaves = quick ? 1_000_000 : 10_000_000;
    const log = await fillLog(database.url, leaves);
    const times = await proveSome(database.url, log, 200);
    const about = (what: string): string => `${what} at ${leaves / 1e6} million leaves`;
    const worst = (of: keyof ProofTimes): number => Math.max(...times.map((time) => time[of]));
    report.outcome(
      'evidence',
      about('ms of an inclusion proof, median'),
      median(times.map(({ inclusion }) => inclusion)),
      { most: 10 },
    );
    report.outcome(
      'evidence',
      about('ms of a consistency proof, median'),
      median(times.map(({ consistency }) => consistency)),
      { most: 10 },
    );
    report.outcome('evidence', about('rows that a proof reads'), worst('rows'), { most: 40 });
  },
};

/** What a reader waits for at the page /verify. */
async function measureVerifying({ stage, report }: Bench): Promise<void> {
  const verified = await verifyInBrowser(stage, 21);
  if (verified === undefined) {
    report.warn('There is no Chromium (CHROMIUM_PATH): verifying in a browser was not measured.');
    return;
  }
  const about = 'ms of verifying the pack of one consent in the browser, median';
  report.outcome('evidence', about, median(verified.times), { most: 100 });
  report.detail('evidence verifying', verified);
}

/** How long the comparison of a year's records with their log takes, and whether ten times as many take more memory. */
async function measureAudit({ stage, report, quick }: Bench): Promise<void> {
  const many = quick ? 100_000 : 1_000_000;
  const [few, all] = [await auditYear(stage, many / 10), await auditYear(stage, many)];
  const seconds = (all.audited.seconds * 1e6) / many;
  report.outcome('evidence', "seconds of the audit of a year's million records", seconds, { most: 120 });
  const memory = all.audited.megabytes / few.audited.megabytes;
  report.outcome('evidence', 'memory of the audit of a year ÷ with a tenth of its records', memory, {
    most: FLAT,
  });
  report.detail('evidence audit', { few, all });
}

async function auditYear(stage: Stage, records: number): Promise<{ year: Year; audited: AuditTimes }> {
  const { url } = await stage.database(`avow_year_${records}`);
  const makes = await stage.child('year');
  const year = await makes.call<Year>({ url, records, key: SECRETS_KEY } satisfies YearAsked);
  await makes.stop();
  const audits = await stage.child('audit-log', { flags: SMALL_HEAP });
  const audited = await audits.call<AuditTimes>({ url, key: SECRETS_KEY, site: year } satisfies AuditAsked);
  await audits.stop();
  if (audited.findings.length > 0)
    throw new Error(`an audit of good records found ${JSON.stringify(audited.findings)}`);
  return { year, audited };
}

/** Whether a pack of many records takes no more memory of the server than one of few, also for somebody who reads slowly. */
async function measurePacks({ stage, report, quick }: Bench): Promise<void> {
  const slow = { records: 20_000, bytesPerSecond: 700_000 };
  const asked = [{ records: 2_000 }, { records: 20_000 }, slow, ...(quick ? [] : [{ records: 100_000 }])];
  const packs = await takePacks(stage, asked);
  if (packs === undefined) {
    report.warn('Only Linux tells the peak of a process: the memory of packs was not measured.');
    return;
  }
  const [few, some, slowly, many] = packs as [PackTaken, PackTaken, PackTaken, PackTaken | undefined];
  const compare = (about: string, one: PackTaken, other: PackTaken): void =>
    report.outcome('evidence', `peak memory of the server: ${about}`, one.peak / other.peak, { most: FLAT });
  compare('a pack of 20,000 consents ÷ of 2,000', some, few);
  compare('a pack of 20,000 that is read at 700 kB/s ÷ as fast as it comes', slowly, some);
  if (many !== undefined) compare('a pack of 100,000 ÷ of 20,000', many, some);
  report.detail('evidence packs', packs);
}

/** Whether sealing much keeps visitors waiting. */
async function measureBeside(bench: Bench): Promise<void> {
  const { report, quick } = bench;
  const { laps, sealed } = await raceBesideSealing(bench, quick ? { rounds: 3, seconds: 2 } : BESIDE_LAPS);
  report.laps(laps, 64);
  const about = 'writes while a backlog of the log is sealed ÷ while nothing is';
  report.outcome('evidence', about, ratio(laps, BESIDE.on, BESIDE.off));
  report.outcome('evidence', `p99 of ${about}`, ratio(laps, BESIDE.on, BESIDE.off, 'p99'));
  report.detail('evidence leaves sealed beside a lap', sealed);
}

/** The same server with and without what writes the log, and what its records take on disk. */
async function measureWrites({ stage, report, pace, quick }: Bench): Promise<void> {
  const whole = await stage.host('avow_log');
  const without = await stage.host('avow_no_log', { NODE_OPTIONS: `--require "${REMOVE}"` });
  const names = { on: 'Avow consent write, sealed', off: 'Avow consent write, log removed' };
  const laps = await race(
    [avowWithCpu(stage, whole, names.on, consents), avowWithCpu(stage, without, names.off, consents)],
    64,
    quick ? pace.goal : LAPS,
  );
  report.laps(laps, 64);
  const about = 'writes with the evidence log ÷ the same without';
  report.outcome('evidence', about, ratio(laps, names.on, names.off), { least: 0.95 });
  const cpu = 'server processor time of a write without the evidence log ÷ with it';
  report.outcome('evidence', cpu, ratio(laps, names.off, names.on, 'cpu'));
  const { records, bytes } = await sizeOf(whole.database);
  report.outcome('evidence', 'bytes of a record in the evidence log', bytes / records + BLINDING, {
    most: 64,
  });
  await whole.ledger.check();
  await without.ledger.check();
  await whole.avow.stop();
  await without.avow.stop();
}

/** After all is sealed, without the space that is free again. */
async function sizeOf({ sql }: Database): Promise<{ records: number; bytes: number }> {
  for (let waits = 0; waits < 60; waits += 1) {
    if ((await sql('SELECT FROM ledger_pending LIMIT 1')).length === 0) break;
    await delay(1_000);
  }
  for (const table of GROWING) await sql(`VACUUM FULL ${table}`);
  const sizes = GROWING.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
  const [row] = await sql<{ records: string; bytes: string }>(
    `SELECT (SELECT sum(size) FROM ledger_heads) AS records, ${sizes} AS bytes`,
  );
  return { records: Number(row?.records), bytes: Number(row?.bytes) };
}
