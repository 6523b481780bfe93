import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { useServer } from '../helpers/server';

const PUBLIC_URL = 'https://consent.example.com';
const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL } });
const folder = mkdtempSync(join(tmpdir(), 'avow-doctor-'));
afterAll(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

const doctor = async (...args: string[]): Promise<[code: number | null, output: string]> => {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const variables = { DATABASE_URL: server.databaseUrl, SECRETS_KEY, PUBLIC_URL, JWT_SECRET: 'x'.repeat(32) };
  const { code, output } = await runToEnd('server/cli/main.js', ['doctor', '--ledger', ...args], variables);
  return [code, output];
};

test('the command says that all fits, names what does not, and knows a checkpoint that somebody kept', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
  await decide(server, token, session_id);
  await sealAll(server);
  const [code, output] = await doctor('--site', token);
  expect([code, output]).toEqual([0, expect.stringContaining('fit their records')]);
  const { id, note } = await headOfSite(server, token);
  const kept = join(folder, 'checkpoint');
  writeFileSync(kept, note);
  expect((await doctor('--checkpoint', kept))[0]).toBe(0);

  const [{ consent_id }] = await db('consents').where({ environment_id: id }).select('consent_id');
  await db('consents').where({ environment_id: id }).update({ ip_masked: '198.51.***.***' });
  const [bad, named] = await doctor();
  expect(bad).toBe(1);
  expect(named).toContain(`consent ${consent_id} is not what leaf`);
  expect(named).toContain('The evidence log is damaged');
  // Ids are named, and nothing of the person.
  for (const personal of [session_id, '198.51']) expect(named).not.toContain(personal);

  // With the keys the whole log is written anew: only what somebody kept shows it.
  for (const table of ['entries', 'tiles', 'segments', 'heads'])
    await db(`ledger_${table}`).where({ environment_id: id }).delete();
  await growLog(server, token, 5);
  const [forked, text] = await doctor('--checkpoint', kept);
  expect([forked, text]).toEqual([1, expect.stringContaining('that you gave is of a different history')]);
  const [none] = await doctor('--site', `env_${'0'.repeat(22)}`);
  expect(none).toBe(1);
});

test('a checkpoint of another log of this server is called that, and no damage', async () => {
  const [one, other] = [await server.site(), await server.site()];
  for (const { token } of [one, other, other])
    await decide(server, token, '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11');
  await sealAll(server);
  const { note } = await headOfSite(server, other.token);
  const kept = join(folder, 'of-another');
  writeFileSync(kept, note);
  const [code, output] = await doctor('--site', one.token, '--checkpoint', kept);
  expect(output).toMatch(
    new RegExp(`of another log, consent.example.com/ledger/${other.token}: it was compared`),
  );
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/fit their records; 1 checkpoints that you gave/),
  ]);
  expect(output).not.toMatch(/forked|rolled_back|damaged/);
});
