import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import pino from 'pino';
import { verifyCheckpoint, verifyConsistency } from '../../sdk/src/verify';
import { readConfig } from '../../server/src/config';
import { proveGrowth } from '../../server/src/ledger/proofs';
import { notOnCluster } from '../helpers/cluster/skip';
import { admin, cloneDatabase, databaseUrl } from '../helpers/database';
import { foreign, hasGo } from '../helpers/ledger/foreign';
import { growLog, headOfSite, vkeyOfSite } from '../helpers/ledger/grow';
import { readPack } from '../helpers/ledger/read-pack';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';

const PUBLIC_URL = 'https://consent.example.com';
const folder = mkdtempSync(join(tmpdir(), 'avow-rolled-back-'));
afterAll(async () => {
  await endChildren();
  rmSync(folder, { recursive: true });
});

/** The head that a pack of everything is about, as who gets the pack reads it. */
async function checkpointOfPack({ service, url }: TestServer, token: string, userId: number) {
  const { token: login } = await service.context.tokens.issue(userId);
  const answer = await createAvow({ baseUrl: url, token: login }).exportEvidence({ token });
  const bytes = await answer.arrayBuffer();
  const file = join(folder, `${randomUUID()}.zip`);
  writeFileSync(file, Buffer.from(bytes));
  const { of } = readPack(bytes);
  const [line] = of('checkpoint');
  const note = String(line?.note);
  return { ...(await verifyCheckpoint(note, [String(of('key')[0]?.vkey)])), note, file };
}

/** What `npm run doctor -- --ledger` says of a database, given a pack of before. */
async function doctor(databaseUrl: string, pack: string): Promise<[code: number | null, output: string]> {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const variables = { DATABASE_URL: databaseUrl, SECRETS_KEY, PUBLIC_URL, JWT_SECRET: 'x'.repeat(32) };
  const args = ['doctor', '--ledger', '--checkpoint', pack];
  const { code, output } = await runToEnd('server/cli/main.js', args, variables);
  return [code, output];
}

/** Whether the log that the server publishes continues a head of before, as the SDK and Go find. */
async function continues(
  server: TestServer,
  token: string,
  before: { size: number; root: Uint8Array; note: string },
): Promise<boolean> {
  const { db } = server.service.context;
  const { id, note } = await headOfSite(server, token);
  const vkey = await vkeyOfSite(server, token);
  const { size, root } = await verifyCheckpoint(note, [vkey]);
  // What a server that has lost leaves can prove at most.
  const proof = size < before.size ? [] : await proveGrowth(db, id, before.size, size);
  const isContinued = await verifyConsistency({ from: before, to: { size, root }, proof });
  if (hasGo) {
    const file = join(folder, 'before');
    writeFileSync(file, before.note);
    const found = foreign('log', `${server.url}/ledger/${token}`, vkey, file);
    await (isContinued ? found : expect(found).rejects.toThrow());
  }
  return isContinued;
}

notOnCluster('copies of databases are made of files here, which a cluster has on several nodes')(
  'a restored older database is recognised as a roll-back, and as a fork, by a witness and by a pack of before',
  async () => {
    const database = await cloneDatabase();
    const backup = `${database.name}_backup`;
    const options = { ROLE: 'api', PUBLIC_URL };
    const start = (url: string): Promise<TestServer> => startServer({ databaseUrl: url, variables: options });
    let server = await start(database.url);
    const { token, userId } = await server.site();
    const witness = await WitnessProcess.start([await vkeyOfSite(server, token)]);
    const variables = { WITNESSES: witnessesOf(witness) };
    try {
      await growLog(server, token, 5);
      await vouchOnce(server, { variables });
      await server.stop();
      await admin(`CREATE DATABASE ${backup} TEMPLATE ${database.name}`);
      server = await start(database.url);
      await growLog(server, token, 7);
      expect(await vouchOnce(server, { variables, minutes: 61 })).toContain('avow_ledger_rolled_back_logs 0');
      const handedOut = await checkpointOfPack(server, token, userId);
      expect(handedOut.size).toBe(12);
      await growLog(server, token, 2);
      expect(await continues(server, token, handedOut)).toBe(true);
      await server.stop();

      // The backup of before is restored, and life goes on.
      server = await start(databaseUrl(backup));
      await growLog(server, token, 3);
      const lines: string[] = [];
      const write = (line: string): void => void lines.push(line);
      const log = pino({ formatters: { level: (level) => ({ level }) } }, { write });
      const metrics = await vouchOnce(server, { variables, minutes: 61, log });
      expect(metrics).toContain('avow_ledger_rolled_back_logs 1');
      expect(metrics).toContain('avow_ledger_vouching_total{kind="witness",result="rolled_back"} 1');
      expect(
        lines.filter((line) => line.includes('rolled back or forked') && line.includes('"error"')),
      ).toHaveLength(1);
      const { config, tokens } = server.service.context;
      config.witnesses = readConfig(variables).witnesses;
      const { token: login } = await tokens.issue(userId);
      const client = createAvow({ baseUrl: server.url, token: login });
      const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
      expect(await codes()).toContain('evidence_log_rolled_back');
      // Who holds a pack of before sees a log that is shorter.
      expect(await continues(server, token, handedOut)).toBe(false);
      const [shorter, said] = await doctor(databaseUrl(backup), handedOut.file);
      expect([shorter, said]).toEqual([
        1,
        expect.stringContaining('a checkpoint of 12 leaves was handed out'),
      ]);

      // It grows beyond what the witness knows: another history all the same.
      await growLog(server, token, 30);
      await vouchOnce(server, { variables, minutes: 200 });
      const [state] = await server.service.context.db('ledger_vouchers').select('problem', 'size');
      expect([state?.problem, Number(state?.size)]).toEqual(['other_tree', 5]);
      expect(await codes()).toContain('evidence_log_rolled_back');
      expect(await continues(server, token, handedOut)).toBe(false);
      const [forked, told] = await doctor(databaseUrl(backup), handedOut.file);
      expect([forked, told]).toEqual([1, expect.stringContaining('that you gave is of a different history')]);
      // A pack of now and the one of before contradict each other, though both are signed.
      const later = await checkpointOfPack(server, token, userId);
      expect([later.origin, later.size]).toEqual([handedOut.origin, 38]);
      expect(later.signedBy.vkey).toBe(handedOut.signedBy.vkey);
      await server.stop();

      // The newest database again: nothing is wrong with it.
      server = await start(database.url);
      await growLog(server, token, 1);
      expect(await vouchOnce(server, { variables, minutes: 400 })).toContain(
        'avow_ledger_rolled_back_logs 0',
      );
      expect(await continues(server, token, handedOut)).toBe(true);
    } finally {
      await server.stop();
      await admin(`DROP DATABASE IF EXISTS ${backup} WITH (FORCE)`);
      await database.drop();
    }
  },
  120_000,
);
