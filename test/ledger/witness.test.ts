import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHeads } from '../../server/cli/kept-heads';
import { CheckpointStore } from '../../server/cli/witness/store';
import { verifyCosignature } from '../../server/src/domain/ledger/cosignature';
import { bytesOf } from '../../server/src/domain/ledger/note';
import {
  LOG_KEY,
  type OpenNote,
  openNote,
  readVkey,
  type VerifierKey,
  vkeyOf,
} from '../../server/src/domain/ledger/open-note';
import { TestLog } from '../helpers/ledger/test-log';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { until } from '../helpers/until';

// Against the real program, as its operator runs it.
const known = new TestLog();
let witness: WitnessProcess;
beforeAll(async () => {
  witness = await WitnessProcess.start([known.vkey]);
});
afterAll(endChildren);

/** A log that the witness is told of while it runs. */
async function newLog(name: string): Promise<TestLog> {
  const log = new TestLog(`log.example/ledger/${name}`);
  appendFileSync(join(witness.folder, 'logs'), `${log.vkey}\n`);
  await until('the witness knows the log', async () => (await witness.add(log.request(0))).status === 200);
  return log;
}

const timeOf = (log: TestLog, lines: string): number | undefined => {
  const { text, signatures } = openNote(`${log.note()}${lines}`) as OpenNote;
  const key = readVkey(witness.vkey) as VerifierKey;
  return verifyCosignature(signatures.at(-1) as (typeof signatures)[number], key, text);
};

const hashOf = (log: TestLog): string => createHash('sha256').update(log.origin).digest('hex');

/** What it publishes of a log, and the names of who signed it. */
async function published(log: TestLog) {
  const answer = await fetch(`${witness.url}/${hashOf(log)}/checkpoint`);
  const note = await answer.text();
  return { status: answer.status, note, names: openNote(note)?.signatures.map(({ name }) => name) };
}

test('signs a log as it grows, each time from the size that it knows, and says when', async () => {
  let from = 0;
  for (const more of [1, 1, 2, 3, 250, 1, 300]) {
    known.grow(more);
    const answer = await witness.add(known.request(from));
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^— witness\.example \S+\n$/)]);
    expect(Math.abs((timeOf(known, answer.text) ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    from = known.leaves.length;
  }
  // The latest checkpoint, with both signatures, for monitors.
  const { note, names } = await published(known);
  expect(note.startsWith(known.note())).toBe(true);
  expect(names).toEqual([known.origin, 'witness.example']);
});

test('names the size that it knows to whoever believes another one', async () => {
  const log = await newLog('sizes');
  log.grow(9);
  expect((await witness.add(log.request(0))).status).toBe(200);
  log.grow(4);
  for (const body of [log.request(0), log.request(5), log.request(9, 9).replace('old 9', 'old 8')]) {
    expect(await witness.add(body)).toEqual({ status: 409, type: 'text/x.tlog.size', text: '9\n' });
  }
  // A smaller tree, after a roll-back.
  expect((await witness.add(log.request(0, 5))).status).toBe(409);
  expect((await witness.add(log.request(5, 5))).status).toBe(409);
  expect((await witness.add(log.request(9))).status).toBe(200);
});

test('signs no tree that contradicts what it has signed', async () => {
  const log = await newLog('forks');
  log.grow(20);
  expect((await witness.add(log.request(0))).status).toBe(200);
  const other = log.fork(12).grow(30);
  expect((await witness.add(other.request(20))).status).toBe(422);
  // Of the same size, with another root.
  expect((await witness.add(log.fork(12).grow(8).request(20))).status).toBe(422);
  log.grow(1);
  const good = log.request(20);
  const lines = good.split('\n');
  expect((await witness.add([lines[0], ...lines.slice(2)].join('\n'))).status).toBe(422);
  expect((await witness.add([lines[0], lines[1], ...lines.slice(1)].join('\n'))).status).toBe(422);
  expect((await witness.add(good)).status).toBe(200);
});

test('a stranger with a published checkpoint and a wrong proof makes no log look like one that contradicts itself', async () => {
  const log = await newLog('slandered');
  log.grow(6);
  expect((await witness.add(log.request(0))).status).toBe(200);
  const { note } = await published(log);
  const wrong = Buffer.alloc(32, 3).toString('base64');
  const lines = () => witness.log().filter(({ origin }) => origin === log.origin);
  for (let n = 0; n < 5; n += 1) expect((await witness.add(`old 6\n${wrong}\n\n${note}`)).status).toBe(422);
  log.grow(2);
  expect((await witness.add(log.request(6).replace(/\n[^\n]+/, `\n${wrong}`))).status).toBe(422);
  // Another tree of the same size, which only the log can have signed.
  expect((await witness.add(log.fork(3).grow(3).request(6))).status).toBe(422);
  await until('the contradiction is told', () => lines().some(({ level }) => level === 'warn'));
  const refused = lines().filter(({ status }) => status !== 200);
  expect(refused.map(({ level, status, size }) => [level, status ?? size])).toEqual([
    ['info', 422],
    ['warn', 6],
  ]);
});

test('an empty log has the root of an empty tree, and a proof from nothing is empty', async () => {
  const log = await newLog('empty');
  const text = `${log.origin}\n0\n${Buffer.alloc(32, 1).toString('base64')}\n`;
  expect((await witness.add(`old 0\n\n${text}\n${log.sign(text)}`)).status).toBe(422);
  log.grow(3);
  const body = log.request(0).replace('old 0\n', `old 0\n${log.root().toString('base64')}\n`);
  expect((await witness.add(body)).status).toBe(422);
});

test('knows its logs by key: others get 404, other signatures 403, and further ones are ignored', async () => {
  const log = await newLog('keys');
  log.grow(2);
  expect((await witness.add(new TestLog('elsewhere.example/x').grow(2).request(0))).status).toBe(404);
  expect((await witness.add(new TestLog(log.origin).grow(2).request(0))).status).toBe(403);
  // The right name and id with another signature is no unknown signature.
  const forged = log
    .note()
    .replace(/(.{20})\n$/, (_, end: string) => `${end.split('').reverse().join('')}\n`);
  expect([400, 403]).toContain((await witness.add(`old 0\n\n${forged}`)).status);
  const both = `${log.request(0)}${new TestLog(log.origin).sign(log.text())}`;
  expect((await witness.add(both)).status).toBe(200);
  // Nor are they stored, however many there are.
  log.grow(1);
  const strangers = Array.from({ length: 60 }, () => new TestLog(log.origin).sign(log.text()));
  expect((await witness.add(`${log.request(2)}${strangers.join('')}`)).status).toBe(200);
  expect((await published(log)).names).toEqual([log.origin, 'witness.example']);
});

test.each([1, 98, 99, 100])(
  'a line that is sent %s times more is refused, and the log goes on',
  async (times) => {
    const log = await newLog(`repeats-${times}`);
    log.grow(2);
    expect((await witness.add(log.request(0))).status).toBe(200);
    // Anybody can take the published checkpoint and do that.
    const answer = await witness.add(log.request(2) + log.sign(log.text()).repeat(times));
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringMatching(/a signature line stands there twice/),
    ]);
    const stranger = new TestLog(log.origin).sign(log.text()).repeat(times);
    expect((await witness.add(log.request(2) + stranger)).status).toBe(times === 1 ? 200 : 400);
    log.grow(3);
    expect((await witness.add(log.request(2))).status).toBe(200);
    expect((await published(log)).names).toEqual([log.origin, 'witness.example']);
  },
);

describe('a file in which an older version stored a line a hundred times', () => {
  const older = async (name: string, change: (own: string) => string) => {
    const log = await newLog(name);
    log.grow(4);
    const { text } = await witness.add(log.request(0));
    const file = join(witness.folder, 'checkpoints', hashOf(log));
    writeFileSync(file, `${log.text()}\n${log.sign(log.text()).repeat(100)}${change(text)}`);
    return { log, file };
  };

  test('is read with one line of each key, and the log goes on', async () => {
    const { log, file } = await older('older', (own) => own);
    // What was published of it is evidence for an audit all the same.
    expect(await readHeads(file)).toMatchObject([{ origin: log.origin, size: 4 }]);
    expect(await published(log)).toMatchObject({ status: 200, names: [log.origin, 'witness.example'] });
    expect((await witness.add(log.fork(2).grow(9).request(4))).status).toBe(422);
    log.grow(3);
    expect((await witness.add(log.request(0))).text).toBe('4\n');
    expect((await witness.add(log.request(4))).status).toBe(200);
    expect((await published(log)).note.startsWith(log.note())).toBe(true);
  });

  test.each<[string, (own: string) => string]>([
    ['of this witness is false', (own) => own.replace(/.{12}\n$/, `${'A'.repeat(10)}==\n`)],
    ['of this witness is gone', () => ''],
  ])('is damaged when the signature %s', async (what, change) => {
    const { log } = await older(`older-${what.split(' ').at(-1)}`, change);
    expect((await published(log)).status).toBe(500);
    expect((await witness.add(log.request(4))).status).toBe(500);
  });
});

test('what could not be read back is not stored', () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-store-'));
  const store = new CheckpointStore(folder, { hasSigned: () => true }, { patterns: [], isNamed: () => true });
  const log = new TestLog().grow(1);
  for (const note of [log.note() + log.sign(log.text()), log.note().slice(0, -1), ''])
    expect(() => store.keep(log.origin, note)).toThrow('could not be read back');
  expect(() => store.keep('another.example', log.note())).toThrow('could not be read back');
  expect(readdirSync(join(folder, 'checkpoints'))).toEqual([]);
  store.keep(log.origin, log.note());
  expect(store.of(log.origin)).toMatchObject({ size: 1, note: log.note() });
});

test('one line of keys stands for all logs of a server', async () => {
  const one = new TestLog('wide.example/ledger/env_1');
  const key = bytesOf((readVkey(one.vkey) as VerifierKey).publicKey);
  appendFileSync(join(witness.folder, 'logs'), `${vkeyOf('wide.example/ledger/*', LOG_KEY, key)}\n`);
  await until('the witness knows the log', async () => (await witness.add(one.request(0))).status === 200);
  expect((await witness.add(new TestLog('wide.example/ledger/env_1').request(0))).status).toBe(403);
  expect((await witness.add(new TestLog('wide.example/ledgers').request(0))).status).toBe(404);
});

test.each([
  ['nothing', ''],
  ['no size', 'old\n\nx'],
  ['a size with zeroes', 'old 07\n\n'],
  ['a negative size', 'old -1\n\n'],
  ['a size beyond numbers', 'old 99999999999999999999\n\n'],
  ['no checkpoint', 'old 0\n\nhello\n'],
  ['a hash that is none', 'old 1\nAAAA\n\n'],
  ['64 hashes', `old 1\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}\n`],
])('%s is refused', async (_, start) => {
  expect((await witness.add(`${start}${start.endsWith('\n\n') ? known.note() : ''}`)).status).toBe(400);
});

test('an old size above the new one, and bytes that are no text, are refused', async () => {
  const size = known.leaves.length;
  expect(
    (await witness.add(known.request(size - 1, size - 1).replace(/^old .*/, `old ${size}`))).status,
  ).toBe(400);
  expect([400, 403, 404]).toContain((await witness.add(Buffer.from([0x6f, 0xff, 0xfe, 0x0a, 0x0a]))).status);
});

test('long bodies end early, and other paths and methods are none', async () => {
  expect((await witness.add('old 0\n'.padEnd(65_537, 'x'))).status).toBe(413);
  expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405);
  expect((await fetch(`${witness.url}/elsewhere`)).status).toBe(404);
  expect((await fetch(`${witness.url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
});

/** Sends the beginning of a body, and keeps the connection. */
function begin(announced: number, sent: number): Socket {
  const socket = connect(witness.port, '127.0.0.1').setEncoding('utf8');
  const head = `POST /add-checkpoint HTTP/1.1\r\nHost: witness\r\nContent-Length: ${announced}\r\n\r\n`;
  socket.write(head + 'x'.repeat(sent));
  return socket;
}

test('who sends too much is told so, also one that sends all before it reads', async () => {
  const socket = begin(900_000, 100_000).pause();
  const failed = once(socket, 'error').then(([error]) => error.code);
  for (let sent = 100_000; sent < 900_000; sent += 50_000) {
    const written = new Promise((resolve) => socket.write('x'.repeat(50_000), resolve));
    expect(await Promise.race([written.then(() => 'written'), failed])).toBe('written');
    // The witness has its turn.
    await fetch(`${witness.url}/healthz`);
  }
  const [answer] = await once(socket.resume(), 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('of a request that is broken off there is no line in its log', async () => {
  const sizes = { output: witness.output.length, errors: witness.errors.length };
  const log = await newLog('broken-off');
  for (let n = 0; n < 5; n += 1) {
    const socket = begin(1_000, 10);
    await once(socket, 'connect');
    // What was sent before is read before the end.
    await witness.add(log.request(0));
    socket.destroy();
    await once(socket, 'close');
  }
  log.grow(1);
  await witness.add(log.request(0));
  const lines = () => witness.output.slice(sizes.output) + witness.errors.slice(sizes.errors);
  await until('the last one is noted', async () => /"size":1,/.test(lines()));
  expect(lines()).not.toContain('a request failed');
});

test('of many requests at once for two histories, one history is signed', async () => {
  const log = await newLog('races');
  log.grow(8);
  const other = log.fork(0).grow(9);
  const bodies = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? log : other).request(0));
  const answers = await Promise.all(bodies.map((body) => witness.add(body)));
  const signed = answers.flatMap(({ status }, n) => (status === 200 ? [n % 2] : []));
  expect(signed.length).toBeGreaterThan(0);
  expect(new Set(signed).size).toBe(1);
});

test('after kill -9 at any moment it contradicts nothing that it has signed', async () => {
  const log = await newLog('kills');
  let signed = 0;
  for (let round = 0; round < 6; round += 1) {
    const flood = (async () => {
      for (;;) {
        const size = log.grow(1).leaves.length;
        for (let from = signed; ; ) {
          const { status, text } = await witness.add(log.request(from, size));
          if (status === 200) break;
          if (status !== 409) throw new Error(`${status} ${text}`);
          from = Number(text);
          // What was acknowledged is never forgotten.
          if (from < signed) throw new Error(`it knows ${from} after it has signed ${signed}`);
        }
        signed = size;
      }
    })().catch((error: Error) => error.message);
    const before = signed;
    await until('some are signed', () => signed > before + 3 + round);
    await witness.kill('SIGKILL');
    expect(await flood).toMatch(/fetch failed|terminated|socket|other side/i);
    witness = await WitnessProcess.start([log.vkey], witness);
    const fork = log.fork(Math.max(0, signed - 2)).grow(5);
    expect([409, 422]).toContain((await witness.add(fork.request(signed))).status);
  }
});

test('the folder belongs to one process, and its key keeps its name', async () => {
  const args = ['witness', '--folder', witness.folder, '--port', '0'];
  const second = await runToEnd('server/cli/main.js', args, {});
  expect([second.code, second.errors]).toEqual([1, expect.stringContaining('runs already')]);
  const vkey = await runToEnd('server/cli/main.js', [...args, '--vkey'], {});
  expect(vkey.output.trim()).toBe(witness.vkey);
  const renamed = await runToEnd('server/cli/main.js', [...args, '--vkey', '--name', 'other.example'], {});
  expect([renamed.code, renamed.errors]).toEqual([1, expect.stringContaining('witness.example')]);
});

test('signs nothing of a log whose last checkpoint is damaged', async () => {
  const log = new TestLog('log.example/ledger/kills').grow(1);
  const file = join(witness.folder, 'checkpoints', hashOf(log));
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
  writeFileSync(join(witness.folder, 'logs'), `${log.vkey}\n`);
  await until('it reads the logs', async () => (await witness.add(log.request(0))).status === 500);
});

test('its log says what it answered, and holds no address', async () => {
  const log = await newLog('lines');
  log.grow(3);
  expect((await witness.add(log.request(0))).status).toBe(200);
  expect((await witness.add(log.fork(1).grow(4).request(3))).status).toBe(422);
  await until('lines are written', () => witness.log().some(({ status }) => status === 422));
  expect(witness.output).not.toContain('127.0.0.1');
});
