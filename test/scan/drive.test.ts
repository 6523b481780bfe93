import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drive } from '../../server/src/scan/drive';
import { type Answer, MAX_ANSWER, type Task } from '../../server/src/scan/driver-messages';
import { NoBrowser, ScanFailure } from '../../server/src/scan/failure';
import { Budget, SCAN_LIMITS } from '../../server/src/scan/limits';
import { until } from '../helpers/until';

const SEEN: Answer = {
  seen: {
    ...{ finalUrl: 'https://shop.test/', cookies: [], items: [], itemsCut: false },
    ...{ hosts: ['shop.test'], hasBanner: false, blank: false },
  },
};
const ANSWER = `console.log(${JSON.stringify(JSON.stringify(SEEN))});`;
const WAIT = 'setInterval(() => 0, 1000);';
const limits = { ...SCAN_LIMITS, totalMs: 20_000, reserveMs: 1_000 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'avow-drive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commands = (): string => execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });

/** Runs a program of the test's own in the place of the driver. */
async function run(
  program: string,
  { stopped, totalMs = limits.totalMs }: { stopped?: AbortSignal; totalMs?: number } = {},
) {
  const file = join(folder, 'driver.js');
  writeFileSync(file, program);
  const task: Task = {
    ...{ url: 'https://shop.test/', program: '/nonexistent', folder, temporary: folder, sandbox: true },
    ...{ proxy: { server: 'http://127.0.0.1:1', username: 'x', password: 'x' }, userAgent: 'Avow-Scan/1.0' },
    limits: { ...limits, totalMs },
  };
  const budget = new Budget({ ...limits, totalMs: 60_000 }, 0, stopped);
  try {
    return await drive(file, task, budget);
  } finally {
    budget.release();
    await until('nothing of it runs', () => !commands().includes(file));
  }
}

test('what a driver answers is what comes back, and it has ended', async () => {
  expect(await run(ANSWER)).toEqual({ answer: SEEN, reached: undefined });
});

test('texts of a driver are such that the database takes them, whatever field they are in', async () => {
  const odd = 'a\\u0000b\\ud800c\\udc00\\ud83d\\ude00';
  const cookie = { name: 'ODD', domain: 'ODD', expires: -1, secure: false, httpOnly: false };
  const item = { storage: 'indexed_db', name: 'ODD', host: 'ODD', objectStores: ['ODD'] };
  const said = { seen: { ...SEEN.seen, cookies: [cookie], items: [item], hosts: ['ODD'], unheard: ['ODD'] } };
  const line = JSON.stringify(said).replaceAll('ODD', odd);
  const { answer } = await run(`console.log(${JSON.stringify(line)});`);
  const plain = 'ab\ufffdc\ufffd\u{1f600}';
  expect(answer).toEqual(JSON.parse(JSON.stringify(said).replaceAll('ODD', plain)));
});

test('a driver that has answered and does not end is ended', async () => {
  expect(await run(`${ANSWER}${WAIT}`)).toMatchObject({ answer: SEEN });
}, 30_000);

test('what its browser tells counts for the limits of the scan, and it hears that one is reached', async () => {
  const told = JSON.stringify({ requests: 0, bytes: limits.bytes + 1 });
  const answered = await run(`
    console.log(${JSON.stringify(told)});
    let heard = '';
    process.stdin.on('data', (chunk) => {
      heard += chunk;
      const { reached } = JSON.parse(heard.split('\\n')[1] || '{}');
      if (reached === undefined) return;
      console.log(JSON.stringify({ failed: reached }));
      process.exit();
    });
  `);
  expect(answered).toEqual({ answer: { failed: 'bytes' }, reached: 'bytes' });
});

test.each([
  [
    'says more than it may',
    `process.stdout.write('x'.repeat(${MAX_ANSWER + 1})); ${WAIT}`,
    /more than can be told/,
  ],
  ['says no such thing', "console.log('{}');", /process that drove the browser/],
  [
    'says an address longer than any that it may say',
    `console.log(${JSON.stringify(JSON.stringify({ seen: { ...SEEN.seen, finalUrl: `https://shop.test/${'a'.repeat(4_096)}` } }))});`,
    /process that drove the browser/,
  ],
  ['says half of it', `process.stdout.write('{"seen":')`, /process that drove the browser/],
  ['ends', 'process.exit(3)', /process that drove the browser/],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", /process that drove the browser/],
  [
    'fills its heap',
    'const all = []; for (;;) all.push(new Array(100_000).fill().map(Math.random));',
    /took too much memory/,
  ],
  [
    'takes much outside of its heap',
    'const all = []; setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 5);',
    /took too much memory/,
  ],
])('a driver that %s fails the scan and says why', async (_what, program, message) => {
  const failure = await run(program).catch((error) => error);
  expect(failure).toBeInstanceOf(ScanFailure);
  expect(failure.message).toMatch(message);
});

test('a driver that never answers is ended in time', async () => {
  await expect(run(WAIT, { totalMs: 500 })).rejects.toThrow('did not answer in time');
});

test('a driver whose visit is stopped ends, even one that does not listen', async () => {
  const stopping = new AbortController();
  const visit = run(WAIT, { stopped: stopping.signal });
  stopping.abort();
  await expect(visit).rejects.toThrow('stopped');
}, 30_000);

test('without another process there is no browser', async () => {
  const path = process.execPath;
  process.execPath = join(folder, 'none');
  try {
    await expect(run(ANSWER)).rejects.toBeInstanceOf(NoBrowser);
  } finally {
    process.execPath = path;
  }
});
