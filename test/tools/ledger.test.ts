import { verify } from 'node:crypto';
import { readVkey, type VerifierKey } from '../../server/src/domain/ledger/open-note';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

// A server that seals every second, and the operator's command beside it.
const PUBLIC_URL = 'https://consent.example.com';
const server = useServer({ variables: { PUBLIC_URL, SEAL_SECONDS: '1' } });
afterAll(endChildren);

const ledger = async (...args: string[]): Promise<string[]> => {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const variables = { DATABASE_URL: server.databaseUrl, SECRETS_KEY, PUBLIC_URL, JWT_SECRET: 'x'.repeat(32) };
  const { code, output, errors } = await runToEnd('server/cli/main.js', ['ledger', ...args], variables);
  expect([code, errors]).toEqual([0, '']);
  return output.trim().split('\n');
};
const keysOnly = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('#'));

test('the key is rotated while servers run: the old key endorses the new one, and witnesses go on', async () => {
  const { client, token } = await server.site();
  await growLog(server, token, 3);
  const other = await server.site();
  await growLog(server, other.token, 1);
  const before = keysOnly(await ledger('keys'));
  const { origin } = await client.getEvidenceLog({ token });
  const mine = before.find((vkey) => vkey.startsWith(`${origin}+`)) ?? '';
  expect(before).toEqual(
    expect.arrayContaining([expect.stringMatching(/^consent\.example\.com\/ledger\/\*\+/), mine]),
  );
  // One line stands for all logs of the server.
  const wide = before.filter((vkey) => vkey.includes('/*+'));
  let witness = await WitnessProcess.start(wide);
  const variables = { WITNESSES: witnessesOf(witness) };
  await vouchOnce(server, { variables });

  const after = keysOnly(await ledger('rotate-key'));
  expect(after).not.toContain(mine);
  const next = after.find((vkey) => vkey.startsWith(`${origin}+`)) ?? '';
  const state = await until('the log is signed with the new key', async () => {
    const now = await client.getEvidenceLog({ token });
    return now.keys.length === 2 && now;
  });
  const [old, present] = state.keys;
  expect([old?.vkey, present?.vkey, present?.until]).toEqual([mine, next, null]);
  const text = Buffer.from(`avow-ledger-key-v1\n${origin}\n${next}\n`);
  const { publicKey } = readVkey(mine) as VerifierKey;
  expect(verify(null, text, publicKey, Buffer.from(old?.successor_signature ?? '', 'base64'))).toBe(true);
  expect(keysOnly(await ledger('keys', token))).toEqual([mine, next]);
  await until(
    'the other log too',
    async () => (await client.getEvidenceLog({ token: other.token })).keys.length === 2,
  );

  const { db } = server.service.context;
  const [event] = await db('audit_events').where({ operation: 'ledger rotate-key' });
  expect(event).toMatchObject({ via: 'command', kind: 'change' });

  // A witness that knows only the old key signs nothing, until its operator adds the new one.
  await growLog(server, token, 2);
  await vouchOnce(server, { variables, minutes: 61 });
  const { id: environment_id } = await headOfSite(server, token);
  const problem = async () => (await db('ledger_vouchers').where({ environment_id }).first()).problem;
  expect(await problem()).toBe('unknown_log');
  await witness.kill();
  witness = await WitnessProcess.start([...wide, ...after.filter((vkey) => vkey.includes('/*+'))], witness);
  await vouchOnce(server, { variables, minutes: 130 });
  expect(await problem()).toBeNull();
  const sizes = await db('ledger_cosignatures').where({ environment_id }).orderBy('size').pluck('size');
  expect(sizes).toHaveLength(2);
}, 90_000);

test.each([[[]], [['key']], [['rotate-key', 'now']], [['keys', 'a', 'b']]])(
  '%j is refused with its usage',
  async (args) => {
    const { code, errors } = await runToEnd('server/cli/main.js', ['ledger', ...args], {});
    expect([code, errors]).toEqual([2, expect.stringContaining('npm run ledger')]);
  },
);

test('a site that is none is named', async () => {
  const variables = { DATABASE_URL: server.databaseUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const { code, errors } = await runToEnd('server/cli/main.js', ['ledger', 'keys', 'env_none'], variables);
  expect([code, errors]).toEqual([1, expect.stringContaining('env_none')]);
});
