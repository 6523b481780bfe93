import { readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../server/src/db/knex';
import { CONSENT_KEY, type ConsentKey } from '../../server/src/db/ledger/erased';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { openConsents } from '../../server/src/ledger/statements';
import { Vault } from '../../server/src/security/vault';
import { Avow, SECRETS_KEY } from './avow';
import { GROUP, insertGroups } from './backlog';
import { SMALL_HEAP } from './child';
import type { Database } from './database';
import { idAt } from './fill-history';
import { FIXED_SECRET, makeOwner } from './owner';
import type { Stage } from './stage';

/** The time between two records, in milliseconds: all are of the last hour. */
const STEP = 20;
/** An address that does not compress: what a server kept of a pack would show beside its own memory, 1 kB a record. */
const PAGE = `'https://shop.example.com/' || (SELECT string_agg(md5(random()::text || n || m), '') FROM generate_series(1, 60) AS m)`;
/** Records that are made ready to be sealed at once. */
const AT_ONCE = 5_000;

/** A pack to take: of so many consent records, and how fast it is read, in bytes a second. */
export interface PackAsked {
  records: number;
  bytesPerSecond?: number;
}

export interface PackTaken extends PackAsked {
  /** Of the server at its largest, and how much more that is than before, in MB. */
  peak: number;
  growth: number;
  /** Of the file. */
  bytes: number;
  seconds: number;
}

/** Takes packs from a server each, one after the other; undefined where the system does not tell a process's peak. */
export async function takePacks(stage: Stage, asked: readonly PackAsked[]): Promise<PackTaken[] | undefined> {
  if (peakOf(process.pid) === undefined) return undefined;
  const database = await stage.database('avow_packs');
  const start = await fill(database, Math.max(...asked.map(({ records }) => records)));
  const bearer = await makeOwner(database);
  const taken: PackTaken[] = [];
  for (const one of asked) {
    // Of its own: what an earlier pack left in the heap would hide what this one takes.
    const avow = await Avow.start(database.url, {
      ...{ ...FIXED_SECRET, SEAL_SECONDS: '1' },
      NODE_OPTIONS: SMALL_HEAP.join(' '),
    });
    try {
      await sealed(database);
      const path = (records: number): string => {
        const range = `from=${start.toISOString()}&to=${new Date(start.getTime() + records * STEP).toISOString()}`;
        return `http://127.0.0.1:${avow.port}/api/cookies/${database.tokens[0]}/evidence/export?${range}`;
      };
      // Its code is compiled by then, and the heap as large as a small pack makes it.
      await read(path(500), bearer);
      forgetPeak(avow.pid);
      const before = peakOf(avow.pid) as number;
      const begun = performance.now();
      const bytes = await read(path(one.records), bearer, one.bytesPerSecond);
      const seconds = (performance.now() - begun) / 1_000;
      const peak = peakOf(avow.pid) as number;
      taken.push({ ...one, peak, growth: peak - before, bytes, seconds });
    } finally {
      await avow.stop();
    }
  }
  return taken;
}

/** Stores records of the first site that wait to be sealed; when the first was stored. */
async function fill({ url, tokens: [token] }: Database, records: number): Promise<Date> {
  const db = connect(url, 2, { silenceMs: 0, limits: { statement: 0, lock: 0 } });
  try {
    await openGroupKey(db, new Vault(SECRETS_KEY));
    const { id } = await db('environments').where({ token }).first('id');
    const start = new Date(Date.now() - records * STEP - 60_000);
    // The site is older than its records.
    await db('environments').where({ id }).update({ created_at: start });
    await db.raw(
      `INSERT INTO consents (environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version,
         banner_version, method, language, page_url, ip_masked, user_agent, gpc, expires_at, blinding)
       SELECT :id::uuid, at, ${idAt('at')}, gen_random_uuid(), 'accept_all', '{"analytics":true,"marketing":true}'::jsonb,
         '1', 1, 'banner', 'en', ${PAGE}, '127.0.***.***', 'desktop', false,
         at + interval '180 days', gen_random_uuid()
       FROM (SELECT n, to_timestamp((:start::float8 + n * ${STEP}) / 1000) AS at FROM generate_series(0, :records::int - 1) AS n) AS times`,
      { id, start: start.getTime(), records },
    );
    for (let from = 0; from < records; from += AT_ONCE) {
      const at = (n: number): Date => new Date(start.getTime() + n * STEP);
      const keys: ConsentKey[] = await db('consents')
        .where({ environment_id: id })
        .where('recorded_at', '>=', at(from))
        .where('recorded_at', '<', at(from + AT_ONCE))
        .select(...CONSENT_KEY);
      const leaves = (await openConsents(db, id, keys))
        .map((leaf) => ({
          ...{ environment_id: id, at: leaf.at.toISOString(), commitment: leaf.commitment },
        }))
        .sort((a, b) => a.at.localeCompare(b.at));
      const groups = [];
      for (let n = 0; n < leaves.length; n += GROUP)
        groups.push(...pendingRows(groupKeyOf(db), leaves.slice(n, n + GROUP)));
      await insertGroups(db, groups);
    }
    await db.raw('VACUUM ANALYZE consents');
    return start;
  } finally {
    await db.destroy();
  }
}

async function sealed({ sql }: Database): Promise<void> {
  for (let waits = 0; waits < 600; waits += 1) {
    if ((await sql('SELECT FROM ledger_pending LIMIT 1')).length === 0) return;
    await delay(100);
  }
  throw new Error('what waits was not sealed within a minute');
}

/** Reads an answer to its end, not faster than so; its bytes. */
async function read(url: string, bearer: string, bytesPerSecond = Number.POSITIVE_INFINITY): Promise<number> {
  const headers = { Authorization: `Bearer ${bearer}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request: ClientRequest = get(url, { headers }, resolve);
    request.once('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`);
  const begun = performance.now();
  let bytes = 0;
  for await (const part of answer) {
    bytes += (part as Buffer).length;
    const due = begun + (bytes / bytesPerSecond) * 1_000 - performance.now();
    if (due > 0) await delay(due);
  }
  return bytes;
}

/** The most memory that a process has had, in MB, since it was forgotten. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}

/** Linux: the peak is what it has now. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
