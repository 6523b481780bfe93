import { inChunks, runYielding } from '../../server/src/domain/yielding';

/** Each look at the clock is a second later, so that a task yields after each of its steps. */
beforeEach(() => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
});
afterEach(() => jest.restoreAllMocks());

/** Runs tasks, and says how many steps all of them made in each round of the event loop after the first. */
async function stepsOfRounds(start: (step: () => void) => Promise<void>[]): Promise<number[]> {
  const rounds: number[] = [];
  let steps = 0;
  let over = false;
  const count = (): void => {
    rounds.push(steps);
    steps = 0;
    if (!over) setImmediate(count);
  };
  const tasks = start(() => {
    steps += 1;
  });
  setImmediate(count);
  await Promise.all(tasks);
  over = true;
  return rounds.slice(1);
}

test('of many long tasks one goes on in each round of the event loop', async () => {
  function* task(step: () => void): Generator<undefined, void> {
    for (let n = 0; n < 5; n += 1) {
      step();
      yield;
    }
  }
  const rounds = await stepsOfRounds((step) => Array.from({ length: 20 }, () => runYielding(task(step))));
  expect(Math.max(...rounds)).toBe(1);
});

test('so it is with long texts that are sent in pieces', async () => {
  function* pieces(step: () => void): Generator<string, void> {
    for (let n = 0; n < 5; n += 1) {
      step();
      yield 'x';
    }
  }
  const read = async (step: () => void): Promise<void> => {
    for await (const chunk of inChunks(pieces(step))) expect(chunk).toBe('xxxxx');
  };
  const rounds = await stepsOfRounds((step) => Array.from({ length: 20 }, () => read(step)));
  expect(Math.max(...rounds)).toBe(1);
});
