import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { type Job, Scheduler } from '../../server/src/jobs/scheduler';
import { createLogger } from '../../server/src/observability/logger';
import { cloneDatabase } from '../helpers/database';
import { until } from '../helpers/until';

const log = createLogger('silent');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let pools: Knex[];
let schedulers: Scheduler[];

beforeEach(async () => {
  database = await cloneDatabase();
  pools = [];
  schedulers = [];
});
afterEach(async () => {
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  await Promise.all(pools.map((pool) => pool.destroy()));
  await database.drop();
});

/** A scheduler as another process would have it, with the smallest pool that can be configured. */
function scheduler(jobs: Job[], url = database.url): Scheduler {
  const db = connect(url, 2);
  pools.push(db);
  const made = new Scheduler(db, log, jobs);
  schedulers.push(made);
  return made;
}

const job = (run: Job['run'], every = 50): Job => ({ id: 99, name: 'test', every, run });

test('of all processes only one runs a job at a time', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const work = job(async () => {
    running += 1;
    most = Math.max(most, running);
    await delay(20);
    running -= 1;
    runs += 1;
  }, 5);
  for (let process = 0; process < 3; process += 1) scheduler([work]).start();
  await until('it has run often', () => runs >= 15);
  expect(most).toBe(1);
});

test('all processes together run a job once in its time, and again when that is over', async () => {
  const run = jest.fn(async () => undefined);
  const hourly = job(run, 3_600_000);
  const processes = [scheduler([]), scheduler([]), scheduler([])];
  const all = () => Promise.all(processes.map((process) => process.runOnce(hourly)));
  for (const times of [1, 1]) {
    expect(await all()).toEqual([true, true, true]);
    expect(run).toHaveBeenCalledTimes(times);
  }
  const [db] = pools as [Knex];
  await db('job_runs').update({ finished_at: db.raw("now() - interval '1 hour'") });
  await all();
  await all();
  expect(run).toHaveBeenCalledTimes(2);
});

test('a run that failed or was told to end early does not stand for one', async () => {
  const [one, other] = [scheduler([]), scheduler([])];
  const broken = job(async () => Promise.reject(new Error('broken')), 3_600_000);
  expect(await one.runOnce(broken)).toBe(false);
  await one.stop();
  const run = jest.fn(async () => undefined);
  expect(await one.runOnce(job(run, 3_600_000))).toBe(true);
  expect(await other.runOnce(job(run, 3_600_000))).toBe(true);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a job that takes longer than a transaction may be idle keeps its lock', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c idle_in_transaction_session_timeout=200');
  let finish = (): void => undefined;
  const long = scheduler([], url.href).runOnce(job(() => new Promise((resolve) => (finish = resolve)), 0));
  await delay(600);
  const run = jest.fn(async () => undefined);
  expect(await scheduler([]).runOnce(job(run, 0))).toBe(true);
  expect(run).not.toHaveBeenCalled();
  finish();
  expect(await long).toBe(true);
  await scheduler([]).runOnce(job(run, 0));
  expect(run).toHaveBeenCalledTimes(1);
});

test('a job that fails runs again, and takes no other with it', async () => {
  let tries = 0;
  const fine = jest.fn(async () => undefined);
  scheduler([
    {
      ...job(async () => {
        tries += 1;
        throw new Error('broken');
      }),
      id: 1,
      name: 'broken',
    },
    { ...job(fine), id: 2, name: 'fine' },
  ]).start();
  await until('both ran again', () => tries > 2 && fine.mock.calls.length > 2);
});

test('a schedule keeps its process running, as a worker that answers no port needs', () => {
  const compiled = join(__dirname, '../../dist/server/src/jobs/scheduler.js');
  const program = `const { Scheduler } = require(${JSON.stringify(compiled)});
    new Scheduler({}, {}, [{ id: 1, name: 'test', every: 60000, run: async () => undefined }]).start();
    setTimeout(() => { console.log('running'); process.exit(0); }, 300).unref();`;
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toBe('running\n');
});

test('a stop tells the runs in progress and waits for them', async () => {
  let begun = false;
  let ended = false;
  const one = scheduler([
    job(async (signal) => {
      begun = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await delay(100);
      ended = true;
    }, 5),
  ]);
  one.start();
  await until('it runs', () => begun);
  await one.stop();
  expect(ended).toBe(true);
});
