import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readSource } from '../../../server/src/scan/page-source';
import type { Figure } from '../figure';
import { median } from '../numbers';
import { FIXED_SECRET, makeOwner } from '../owner';

/** The size of a request, in bytes, that the goal is set for. */
const UNIT = 64 * 1024;
/**
 * A request of that size may block the server for the time of this many plain requests: 50 ms if one takes 2
 * ms.
 */
const GOAL = 25;
/** How often each attack is tried. The fastest try counts, because other load can only make it slower. */
const TRIES = 5;
/** The time between two plain requests during an attack, in milliseconds. */
const PAUSE = 2;

interface Attack {
  about: string;
  bytes: number;
  run(): Promise<unknown>;
}

/**
 * Sends requests that once blocked the process for seconds or minutes, and measures how long a visitor waits
 * for a plain answer in the meantime: as a multiple of the time that the answer takes on an idle server.
 */
export const attacks: Figure = {
  name: 'attacks',
  async run({ stage, report }) {
    const host = await stage.host('avow_attacks', FIXED_SECRET);
    const bearer = await makeOwner(host.database);
    const [token = ''] = host.database.tokens;
    const base = `http://127.0.0.1:${host.avow.port}`;
    const plain = () => timed(() => fetch(`${base}/api/preferences/${token}?session_id=${randomUUID()}`));
    const idle: number[] = [];
    for (let i = 0; i < 200; i += 1) idle.push(await plain());
    const usual = median(idle);
    for (const { about, bytes, run } of requestAttacks(base, token, bearer)) {
      const waits: number[] = [];
      for (let i = 0; i < TRIES; i += 1) waits.push(await longestDuring(run, plain));
      const times = Math.min(...waits) / usual / Math.max(1, bytes / UNIT);
      report.outcome('attacks', `delay of a plain answer per 64 KiB, as a multiple: ${about}`, times, {
        most: GOAL,
      });
    }
    for (const { about, bytes, run } of sourceAttacks()) {
      const gaps: number[] = [];
      for (let i = 0; i < TRIES; i += 1) gaps.push(await longestGap(run));
      const times = Math.min(...gaps) / usual / Math.max(1, bytes / UNIT);
      report.outcome('attacks', `the same for a page that a scan reads: ${about}`, times, { most: GOAL });
    }
    await host.avow.stop();
  },
};

function requestAttacks(base: string, token: string, bearer: string): Attack[] {
  const send = (method: string, path: string, body: string, type = 'application/json') => ({
    bytes: body.length,
    run: async () => {
      const headers = { 'content-type': type, authorization: `Bearer ${bearer}` };
      const response = await fetch(`${base}${path}`, { method, headers, body });
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`${method} ${path} was answered with ${response.status}`);
    },
  });
  const query = 'a=1&'.repeat(3_600);
  const vendor = (id: number, more = {}) => ({ id, name: `Vendor ${id}`, purposes: [1], ...more });
  const purposes = Array.from({ length: 20_000 }, (_, i) => i % 11);
  return [
    {
      about: 'a name repeated 3,600 times in an address',
      bytes: query.length,
      run: async () => (await fetch(`${base}/api/preferences/${token}?${query}`)).arrayBuffer(),
    },
    {
      about: 'a list of {} instead of visitor events',
      ...send('POST', `/api/v/${token}/e`, list('{}', 64_000), 'text/plain'),
    },
    {
      about: 'visitor events of {}',
      ...send(
        'POST',
        `/api/v/${token}/e`,
        `{"session_id":"${randomUUID()}","events":${list('{}', 63_000)}}`,
        'text/plain',
      ),
    },
    {
      about: 'vendors of {}',
      ...send('PUT', `/api/cookies/${token}/vendors`, `{"vendors":${list('{}', 180_000)}}`),
    },
    {
      about: 'one vendor with 20,000 purposes',
      ...send('PUT', `/api/cookies/${token}/vendors`, JSON.stringify({ vendors: [vendor(1, { purposes })] })),
    },
    {
      about: 'a preview of {} as settings',
      ...send('POST', `/api/cookies/${token}/preview-bundle`, `{"settings":${list('{}', 60_000)}}`),
    },
    {
      about: '20,000 languages to preview',
      ...send('POST', `/api/cookies/${token}/preview-bundle`, `{"languages":${list('"en"', 60_000)}}`),
    },
    {
      about: 'events of a webhook, repeated',
      ...send(
        'POST',
        `/api/cookies/${token}/webhooks`,
        `{"url":"https://x.example","events":${list('"dsar.created"', 60_000)}}`,
      ),
    },
    {
      about: 'a body nested 30,000 deep',
      ...send('POST', `/api/consents/${token}/log`, '['.repeat(30_000) + ']'.repeat(30_000), 'text/plain'),
    },
    {
      about: 'different names in a decision',
      ...send('POST', `/api/consents/${token}/log`, names(60_000)),
    },
  ];
}

/** Pages that an attacker might have scanned. */
function sourceAttacks(): Attack[] {
  const page = (about: string, piece: string, bytes: number): Attack => ({
    about,
    bytes,
    run: () => readSource(piece.repeat(bytes / piece.length), 'https://example.com/'),
  });
  return [
    page('400 kB of <!--', '<!--', 400_000),
    page('2 MB of <script', '<script ', 2_000_000),
    page('2 MB of //', '//a.', 2_000_000),
  ];
}

/** A JSON list that repeats an item up to the given number of bytes. */
const list = (item: string, bytes: number): string =>
  `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',')}]`;

const names = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"n${String(i).padStart(5, '0')}":1`).join(',')}}`;

async function timed(work: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  await (await work()).arrayBuffer();
  return performance.now() - startedAt;
}

/** The slowest plain answer during an attack, in milliseconds. */
async function longestDuring(attack: () => Promise<unknown>, plain: () => Promise<number>): Promise<number> {
  let over = false;
  const watch = async (): Promise<number> => {
    let longest = 0;
    while (!over) {
      longest = Math.max(longest, await plain());
      await delay(PAUSE);
    }
    return longest;
  };
  const watched = watch();
  await attack();
  over = true;
  return watched;
}

/** The longest time that `work` blocks this process, in milliseconds. */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const tick = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(tick);
  return Math.max(longest, performance.now() - last);
}
