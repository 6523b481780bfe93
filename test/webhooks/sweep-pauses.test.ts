import type { Knex } from 'knex';
import { Dispatcher, type DispatcherOptions } from '../../server/src/webhooks/dispatcher';

// Each look at the database takes so long, and fails or finds nothing; so long by a clock of the test's own.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const SECOND = 1_000;

/** When the looks of a dispatcher began, in seconds after it began. */
async function looks(
  took: number,
  end: 'fails' | 'is cancelled' | 'finds nothing',
  until: number,
): Promise<number[]> {
  const begun: number[] = [];
  const startedAt = performance.now();
  const raw = (sql: string): Promise<{ rows: [] }> => {
    // What is done beside the sweeps reads other tables.
    if (!sql.includes('AS work')) return Promise.reject(new Error('not this'));
    begun.push(Math.round((performance.now() - startedAt) / SECOND));
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        if (end === 'finds nothing') resolve({ rows: [] });
        else reject(Object.assign(new Error(end), end === 'fails' ? {} : { code: '57014' }));
      };
      setTimeout(finish, took * SECOND);
    });
  };
  const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const dispatcher = new Dispatcher({
    ...{ db: { raw } as unknown as Knex, log, schedule: [10] },
    transport: { closed: new AbortController().signal, close: () => undefined },
  } as unknown as DispatcherOptions);
  dispatcher.start();
  await jest.advanceTimersByTimeAsync(until * SECOND);
  dispatcher.pause();
  return begun;
}

test('after a look that failed the next one is in a second, as the log says, however long it took', async () => {
  expect(await looks(6, 'fails', 16)).toEqual([0, 7, 14]);
});

test('a look that takes long is made less often, and every ten seconds all the same', async () => {
  expect(await looks(0.5, 'finds nothing', 13)).toEqual([0, 6, 11]);
  expect(await looks(6, 'finds nothing', 40)).toEqual([0, 16, 32]);
});

test('one that the database ends because it takes too long is made less often, too', async () => {
  expect(await looks(6, 'is cancelled', 40)).toEqual([0, 16, 32]);
});
