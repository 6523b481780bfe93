import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWitnessServer } from '../../server/cli/witness/http';
import { Logs } from '../../server/cli/witness/logs';
import { loadSigner } from '../../server/cli/witness/signer';
import { CheckpointStore } from '../../server/cli/witness/store';
import { Witness } from '../../server/cli/witness/witness';
import { bytesOf } from '../../server/src/domain/ledger/note';
import { keyIdOf, LOG_KEY, vkeyOf } from '../../server/src/domain/ledger/open-note';
import type { Logger } from '../../server/src/observability/logger';

/** A server of logs with one key, which stands for whatever it calls them. */
function operator() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = bytesOf(createPublicKey(privateKey));
  return {
    vkey: (name: string) => vkeyOf(name, LOG_KEY, key),
    /** The first checkpoint of a log, which is empty. */
    request: (origin: string, extension = '') => {
      const root = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
      const text = `${origin}\n0\n${root}\n${extension}`;
      const id = Buffer.from(keyIdOf(origin, LOG_KEY, key), 'hex');
      const line = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64');
      return `old 0\n\n${text}\n— ${origin} ${line}\n`;
    },
  };
}

const [evil, good, named] = [operator(), operator(), operator()];
const KEYS = [evil.vkey('evil.example/*'), good.vkey('good.example/*'), named.vkey('evil.example/named')];
const MOST = { ofAll: 8, ofOne: 3 };

/** A witness with room for few logs, of a folder that may be there already. */
function witnessOf(folder = mkdtempSync(join(tmpdir(), 'avow-room-')), keys = KEYS) {
  writeFileSync(join(folder, 'logs'), keys.join('\n'));
  const signer = loadSigner(folder, 'witness.example');
  const logs = new Logs(join(folder, 'logs'), () => undefined);
  const store = new CheckpointStore(folder, signer, logs, MOST);
  const witness = new Witness(signer, logs, store, () => 1_800_000_000);
  return { folder, store, witness, add: (body: string) => witness.answer(body) };
}

const fill = ({ add }: ReturnType<typeof witnessOf>, count = 10) =>
  Array.from({ length: count }, (_, n) => add(evil.request(`evil.example/${n}`)).status);

test('a key that stands for any number of logs has a share, and keeps out nobody else', () => {
  const witness = witnessOf();
  expect(fill(witness, 5)).toEqual([200, 200, 200, 507, 507]);
  expect(witness.add(evil.request('evil.example/3'))).toMatchObject({
    status: 507,
    why: expect.stringContaining('keeps 3 logs of evil.example/* already'),
  });
  expect(readdirSync(join(witness.folder, 'checkpoints'))).toHaveLength(3);
  for (const n of [1, 2, 3]) expect(witness.add(good.request(`good.example/${n}`)).status).toBe(200);
  // A line of its own is room of its own.
  expect(witness.add(named.request('evil.example/named')).status).toBe(200);
  // Logs that it knows go on.
  expect(witness.add(evil.request('evil.example/2')).status).toBe(200);
});

test('shares are counted again after a start, and when the file of logs has other names', () => {
  const before = witnessOf();
  expect(fill(before, 3)).toEqual([200, 200, 200]);
  // What a write left that was broken off.
  writeFileSync(join(before.folder, 'checkpoints', `${'0'.repeat(64)}.new`), '');
  expect(fill(witnessOf(before.folder), 4)).toEqual([200, 200, 200, 507]);
  const other = witnessOf(before.folder, [evil.vkey('evil.example/*'), evil.vkey('evil.example/more/*')]);
  expect(other.add(evil.request('evil.example/more/1')).status).toBe(200);
  expect(other.add(evil.request('evil.example/3')).status).toBe(507);
});

test('of all names together there is a bound, which a log with a line of its own does not meet', () => {
  const more = [1, 2, 3].map((n) => evil.vkey(`${n}.example/*`));
  const witness = witnessOf(undefined, [...KEYS, ...more]);
  const statuses = [1, 2, 3].flatMap((name) =>
    [1, 2, 3].map((n) => witness.add(evil.request(`${name}.example/${n}`)).status),
  );
  expect(statuses).toEqual([...Array(8).fill(200), 507]);
  expect(witness.add(good.request('good.example/1'))).toMatchObject({
    status: 507,
    why: expect.stringContaining('keeps 8 logs already'),
  });
  expect(witness.add(named.request('evil.example/named')).status).toBe(200);
});

test('a text of 1 KiB is signed, a longer one is refused and not kept', () => {
  const witness = witnessOf();
  const origin = 'good.example/long';
  const rest = 1_024 - `${origin}\n0\n${'x'.repeat(44)}\n\n`.length;
  expect(witness.add(good.request(origin, `${'x'.repeat(rest + 1)}\n`))).toMatchObject({
    status: 400,
    why: 'The text of the checkpoint is longer than 1024 bytes.',
  });
  expect(witness.store.of(origin)).toBeUndefined();
  expect(witness.add(good.request(origin, `${'x'.repeat(rest)}\n`)).status).toBe(200);
});

test('over HTTP the refusal is a text, and many of them are one line of its log', async () => {
  const { store, witness } = witnessOf();
  const lines: string[] = [];
  const note = (_: object, line: string) => void lines.push(line);
  const log = { info: note, warn: note, error: note } as unknown as Logger;
  const server = createWitnessServer({ witness, store, log });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  try {
    const answers: [number, string][] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = evil.request(`evil.example/${n}`);
      const answer = await fetch(`http://127.0.0.1:${port}/add-checkpoint`, { method: 'POST', body });
      answers.push([answer.status, await answer.text()]);
    }
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 507, 507, 507]);
    expect(answers[5]?.[1]).toMatch(/keeps 3 logs of evil\.example\/\* already: .+\.\n$/);
    expect(lines.filter((line) => line.includes('no room'))).toHaveLength(1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
