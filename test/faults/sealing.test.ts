import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../server/src/db/knex';
import { CONSENT_KEY } from '../../server/src/db/ledger/erased';
import { proveGrowth, proveLeaf } from '../../server/src/ledger/proofs';
import { type FactRow, type OpenedLeaf, openConsents, openFact } from '../../server/src/ledger/statements';
import { cloneDatabase } from '../helpers/database';
import { rootByInclusion, rootOfEntries, rootsByConsistency } from '../helpers/ledger/verify';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { missing } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import { until } from '../helpers/until';

/** TEST_KILLS=40 TEST_RECORDS=100000 is the long run. */
const KILLS = Number(process.env.TEST_KILLS ?? 6);
const RECORDS = Number(process.env.TEST_RECORDS ?? KILLS * 1_000);
/** Decisions that are acknowledged between two kills. */
const BETWEEN = Math.ceil(RECORDS / KILLS);
jest.setTimeout(60_000 + KILLS * 24_000 + RECORDS * 5);
/** Records that are opened at once: a statement takes no more of them. */
const AT_ONCE = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'avow-sealing-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test(`kill -9 of sealing servers under load, ${KILLS} times: every record is one leaf of a log that only grew`, async () => {
  const variables = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on', SEAL_SECONDS: '1' };
  const ports = [await freePort(), await freePort()];
  const servers = ports.map((port) => new ServerProcess(port, variables));
  await Promise.all(servers.map((server) => server.ready()));
  const token = await (servers[0] as ServerProcess).demoToken();
  const load = new Load({ urls: () => servers.map(({ url }) => url), token, connections: 8 });
  const db = connect(database.url, 4);
  const heads: { size: number; root: Buffer }[] = [];
  const { id } = await db('environments').where({ token }).first('id');
  try {
    for (let round = 0; round < KILLS; round += 1) {
      const before = load.seen.acknowledged.length;
      await until(
        'decisions are acknowledged',
        () => load.seen.acknowledged.length >= before + BETWEEN,
        60_000 + BETWEEN * 20,
      );
      const head = await db('ledger_heads').where({ environment_id: id }).first();
      if (head !== undefined) heads.push({ size: Number(head.size), root: head.root });
      // Either is the one that seals, in no order.
      const index = round % 2;
      await (servers[index] as ServerProcess).kill('SIGKILL');
      servers[index] = new ServerProcess(ports[index] as number, variables);
      await (servers[index] as ServerProcess).ready();
    }
    const { acknowledged, faults } = await load.stop();
    expect(faults).toEqual([]);
    expect(await missing(database.url, acknowledged)).toEqual([]);
    await until(
      'all is sealed',
      async () => (await db('ledger_pending').first('group_id')) === undefined,
      60_000,
    );
    const keys = await db('consents')
      .where({ environment_id: id })
      .select([...CONSENT_KEY]);
    const consents: OpenedLeaf[] = [];
    for (let from = 0; from < keys.length; from += AT_ONCE)
      consents.push(...(await openConsents(db, id, keys.slice(from, from + AT_ONCE))));
    const facts: FactRow[] = await db('ledger_facts').where({ environment_id: id });
    const opened = await Promise.all(facts.map((fact) => openFact(db, fact)));
    const expected = [...consents, ...opened.flatMap((leaf) => leaf ?? [])];
    expect(consents.length).toBeGreaterThanOrEqual(acknowledged.length);
    const rows: { commitments: Buffer }[] = await db('ledger_entries')
      .where({ environment_id: id })
      .orderBy('bundle');
    const entries = rows.flatMap(({ commitments }) => commitments.toString('hex').match(/.{64}/g) ?? []);
    // Each once, and nothing else: also what was stored and not acknowledged.
    expect(entries.length).toBe(expected.length);
    expect([...entries].sort()).toEqual(expected.map(({ commitment }) => commitment).sort());
    const { root, size } = await db('ledger_heads').where({ environment_id: id }).first();
    expect(Number(size)).toBe(entries.length);
    expect(rootOfEntries(entries.map((entry) => Buffer.from(entry, 'hex')))).toEqual(root);
    for (const before of heads.filter((head) => head.size < entries.length && head.size > 0)) {
      const proof = await proveGrowth(db, id, before.size, entries.length);
      expect(rootsByConsistency(before.size, entries.length, before.root, proof)).toEqual([
        before.root,
        root,
      ]);
    }
    for (const { commitment, at } of expected.filter((_, n) => n % 97 === 0)) {
      const found = await proveLeaf(db, id, commitment, at);
      expect(found?.leaf).toBe(entries.indexOf(commitment));
      expect(
        rootByInclusion(found?.leaf ?? 0, entries.length, Buffer.from(commitment, 'hex'), found?.proof ?? []),
      ).toEqual(root);
    }
    process.stderr.write(`${KILLS} kills, ${acknowledged.length} acknowledged, ${entries.length} leaves\n`);
  } finally {
    await db.destroy();
  }
});
