import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { missing } from '../helpers/processes/evidence';
import { endAll, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(300_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
/** A new connection for each request, as from visitors who come for the first time. */
const agent = new Agent({ keepAlive: false });
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let server: ServerProcess;

afterAll(async () => {
  agent.destroy();
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const decide = (token: string) =>
  send(agent, 'POST', `${server.url}/api/consents/${token}/log`, {
    session_id: randomUUID(),
    decision: 'accept_all',
  });

/** The processes that have answered requests so far. */
const answering = (): number[] => [
  ...new Set(server.log().flatMap(({ msg, pid }) => (msg === 'request' ? [pid as number] : []))),
];

const procOf = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
const childrenOf = (pid: number): number[] =>
  procOf(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
/** Not a process that is about to become another program. */
const isWorker = (pid: number): boolean => procOf(pid, 'cmdline').includes('main.js');

test('WORKERS=2: while one event loop stands still, the other stores decisions; the still one is replaced', async () => {
  database = await emptyDatabase();
  const variables = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on', LOG_LEVEL: 'info' };
  server = await ServerProcess.start({ ...variables, WORKERS: '2' });
  const token = await server.demoToken();
  const both = await until('both processes have answered', async () => {
    await decide(token);
    return answering().length === 2 && answering();
  });
  const [still, lively] = both as [number, number];

  // Nothing of it runs any more, as in a loop without an end.
  process.kill(still, 'SIGSTOP');
  const stored: string[] = [];
  const all = Array.from({ length: 40 }, async () => {
    const { status, text } = await decide(token);
    if (status === 201) stored.push(JSON.parse(text).data.consent_id);
  });
  // It is handed one connection, does not take it, and is handed no other.
  await until('all but one are answered', () => stored.length >= 39);
  const settled = await Promise.allSettled(all);
  expect(settled.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1);
  expect(await missing(database.url, stored)).toEqual([]);

  const told = await until('the silent process is ended', () =>
    server.log().find(({ msg }) => msg === 'a process no longer answers: it is ended'),
  );
  expect(told).toMatchObject({ level: 'error', worker: still });
  // The one that takes its place stands still before it listens, and is replaced in its turn.
  const next = await until('another one is started', () =>
    childrenOf(server.pid).find((pid) => pid !== still && pid !== lively && isWorker(pid)),
  );
  process.kill(next, 'SIGSTOP');
  expect(answering()).not.toContain(next);
  const again = await until(
    'it is ended too',
    () => server.log().find(({ msg, worker }) => msg === told.msg && worker === next),
    90_000,
  );
  // 30 seconds until its first sign of life, 15 from then on: it may have given one.
  expect(again.level).toBe('error');
  expect([15, 30]).toContain(again.seconds);
  await until('another one answers in its place', async () => {
    await decide(token).catch(() => undefined);
    return answering().some((pid) => ![still, lively, next].includes(pid));
  });
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
