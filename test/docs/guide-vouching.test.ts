import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../server/src/config';
import { vouchersOf } from '../../server/src/ledger/vouch';
import { Authority, hasOpenssl } from '../helpers/ledger/authority';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { freePort } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { guides } from './guide-files';

// The commands of the guide are run as they stand there, with a folder and a port of this test.
jest.setTimeout(120_000);

const ROOT = join(__dirname, '..', '..');
const PUBLIC_URL = 'https://consent.example.com';
const TOOLS = ['bash', 'curl', 'npm'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0)
  process.stderr.write(`SKIPPED: ${missing.join(', ')} missing, so the commands on witnesses are not run.\n`);

const samples = guides.find(({ file }) => file.includes('witnesses-and-time-stamps'))?.samples ?? [];
const tested = new Set<string>();
/** The one command with these words. */
function command(words: string): string {
  const found = samples.filter(({ code }) => code.includes(words));
  expect([words, found.length]).toEqual([words, 1]);
  tested.add(found[0]?.code ?? '');
  return found[0]?.code ?? '';
}

const bash = (code: string): string[] => ['--norc', '-euo', 'pipefail', '-c', code];

(missing.length === 0 && hasOpenssl ? describe : describe.skip)('the commands of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-vouching-'));
  const kept = join(folder, 'witness');
  let server: TestServer;
  let viewer: TestServer | undefined;
  let authority: Authority;
  let token: string;

  beforeAll(async () => {
    server = await startServer({ variables: { PUBLIC_URL, SEAL_SECONDS: '1' } });
    authority = new Authority();
    ({ token } = await server.site());
    const body = { session_id: randomUUID(), decision: 'accept_all' as const };
    await server.visitor.logConsent({ token, body });
    await until('all is sealed', async () => {
      const { behind, size } = await server.visitor.getEvidenceLog({ token });
      return !behind && size !== null;
    });
  });
  afterAll(async () => {
    await viewer?.stop();
    await server?.stop();
    authority?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    ...{
      PATH: process.env.PATH,
      HOME: folder,
      PREPARE: 'off',
      URL: (viewer ?? server).url,
      SITE: token,
      PUBLIC_URL,
    },
    ...{ DATABASE_URL: server.databaseUrl, JWT_SECRET: 'x'.repeat(32) },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  async function run(code: string, cwd: string): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)('bash', bash(code), { env: environment(), cwd });
    return stdout + stderr;
  }

  test('the variables name a witness and authorities that the server takes', async () => {
    const code = `set -a\n${command('WITNESSES=')}env`;
    const set = new Map((await run(code, folder)).split('\n').map((line) => [line.split('=')[0], line]));
    const variables = ['WITNESSES', 'WITNESS_MINUTES', 'TIMESTAMP_URLS', 'TIMESTAMP_HOURS'].map((name) => {
      const line = set.get(name) ?? '';
      return [name, line.slice(name.length + 1)];
    });
    expect(vouchersOf(readConfig(Object.fromEntries(variables)))).toHaveLength(3);
  });

  test('keys, a witness that is given them, and a time-stamp that openssl verifies', async () => {
    const keys = (await run(command('ledger --silent -- keys'), ROOT)).split('\n');
    const [wide, ...others] = keys.filter((line) => line !== '' && !line.startsWith('#'));
    expect(wide).toMatch(/^consent\.example\.com\/ledger\/\*\+/);
    expect(others).toContainEqual(expect.stringContaining(`/ledger/${token}+`));
    mkdirSync(kept);
    writeFileSync(join(kept, 'logs'), `${wide}\n`);
    const port = await freePort();
    const start = command('npm run witness')
      .replace('/var/lib/avow-witness', kept)
      .replace('8090', `${port}`);
    // A group of its own, so that npm and its program end together.
    const witness = spawn('bash', bash(start), { env: environment(), cwd: ROOT, detached: true });
    let said = '';
    witness.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      await until('the witness answers', async () => {
        return (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200;
      });
      const vkey = /^witness\.example\.org\+\S+/m.exec(said)?.[0] ?? '';
      const variables = {
        WITNESSES: witnessesOf({ vkey, url }),
        TIMESTAMP_URLS: await authority.listen(),
      };
      await vouchOnce(server, { variables });
      // The server as it is once it is started with these variables.
      viewer = await startServer({
        databaseUrl: server.databaseUrl,
        variables: { ROLE: 'api', PUBLIC_URL, ...variables },
      });
      const { data } = JSON.parse(
        await run(command('curl -s "$URL/api/public/evidence-log/$SITE"\n'), folder),
      );
      expect(data.witnesses).toMatchObject([{ name: 'witness.example.org', failing_since: null }]);
      copyFileSync(join(authority.folder, 'ca.pem'), join(folder, 'authority.pem'));
      expect(await run(command('openssl ts -verify'), folder)).toContain('Verification: OK');
    } finally {
      process.kill(-(witness.pid as number), 'SIGKILL');
    }
  });

  test('the key is rotated, and logs are signed with the next one', async () => {
    const lines = (await run(command('rotate-key'), ROOT)).split('\n');
    await until('the log is signed with the new key', async () => {
      const { keys } = await server.visitor.getEvidenceLog({ token });
      return keys.length === 2 && lines.includes(keys[1]?.vkey ?? '');
    });
  });

  test('no command of the guide was left out', () => {
    expect(samples.filter(({ code }) => !tested.has(code)).map(({ line }) => line)).toEqual([]);
  });
});
