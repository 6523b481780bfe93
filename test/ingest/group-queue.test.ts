import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../server/src/domain/errors';
import {
  GroupQueue,
  type GroupQueueOptions,
  type Results,
  type Shares,
} from '../../server/src/ingest/group-queue';

interface Group {
  items: number[];
  finish(results?: Results<number>): void;
  fail(error: Error): void;
}

/** A queue whose groups wait until the test finishes them. */
function queueOf(options: Partial<Omit<GroupQueueOptions<number, number>, 'work'>> = {}) {
  const groups: Group[] = [];
  const queue = new GroupQueue<number, number>({
    work: (items) =>
      new Promise((resolve, reject) =>
        groups.push({ items, finish: (results = items) => resolve(results), fail: reject }),
      ),
    maxGroup: 100,
    maxWaiting: 100,
    ...options,
  });
  return { queue, groups };
}

test('items that arrive together are one group; those that arrive meanwhile are the next, in order', async () => {
  const { queue, groups } = queueOf();
  const first = [queue.add(1), queue.add(2)];
  await turn();
  const second = [queue.add(3), queue.add(4), queue.add(5)];
  await turn();
  expect(groups.map(({ items }) => items)).toEqual([[1, 2]]);
  groups[0]?.finish();
  expect(await Promise.all(first)).toEqual([1, 2]);
  expect(groups.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  groups[1]?.finish();
  expect(await Promise.all(second)).toEqual([3, 4, 5]);
});

test('the next group is handed over before anybody hears of the one before', async () => {
  const { queue, groups } = queueOf();
  const seen: number[] = [];
  const first = queue.add(1).then(() => seen.push(groups.length));
  await turn();
  const second = queue.add(2);
  groups[0]?.finish();
  await first;
  groups[1]?.finish();
  await second;
  expect(seen).toEqual([2]);
});

test('a group is never larger than allowed', async () => {
  const { queue, groups } = queueOf({ maxGroup: 2 });
  const all = [1, 2, 3, 4, 5].map((item) => queue.add(item));
  for (let index = 0; index < 3; index += 1) {
    await turn();
    groups[index]?.finish();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  expect(groups.map(({ items }) => items.length)).toEqual([2, 2, 1]);
});

test('a full queue refuses with 503 at once, and takes items again when there is room', async () => {
  const { queue, groups } = queueOf({ maxWaiting: 2 });
  const inFlight = queue.add(1);
  await turn();
  const waiting = [queue.add(2), queue.add(3)];
  expect(queue.length).toBe(2);
  const refused = await queue.add(4).catch((error) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
  groups[0]?.finish();
  await inFlight;
  const later = queue.add(5);
  groups[1]?.finish();
  expect(await Promise.all(waiting)).toEqual([2, 3]);
  await turn();
  groups[2]?.finish();
  expect(await later).toBe(5);
});

test('what has waited elsewhere before is as old as that, also behind what has not', async () => {
  const { queue, groups } = queueOf({ maxAge: 60_000 });
  const first = queue.add(1);
  await turn();
  const second = queue.add(2);
  const late = queue.add(3, performance.now() - 61_000).catch((error) => error);
  groups[0]?.finish();
  await first;
  expect(await late).toMatchObject({ status: 503 });
  expect(groups.at(-1)?.items).toEqual([2]);
  groups[1]?.finish();
  await second;
});

test('an error among the results rejects that item alone', async () => {
  const { queue, groups } = queueOf();
  const all = Promise.allSettled([queue.add(1), queue.add(2), queue.add(3)]);
  await turn();
  groups[0]?.finish([1, new Error('bad'), 3]);
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('work that throws rejects its group, and the next group goes on', async () => {
  const { queue, groups } = queueOf();
  const first = Promise.allSettled([queue.add(1), queue.add(2)]);
  await turn();
  const second = queue.add(3);
  groups[0]?.fail(new Error('gone'));
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  groups[1]?.finish();
  expect(await second).toBe(3);
});

test('drained resolves when nothing waits and nothing is in flight', async () => {
  const { queue, groups } = queueOf();
  await queue.drained();
  const item = queue.add(1);
  let drained = false;
  const end = queue.drained().then(() => {
    drained = true;
  });
  await turn();
  const later = queue.add(2);
  groups[0]?.finish();
  await item;
  await turn();
  expect(drained).toBe(false);
  groups[1]?.finish();
  await Promise.all([later, end]);
  expect(queue.length).toBe(0);
});

describe('shares of a queue', () => {
  /** Hundreds are the sender, the rest is the weight; what is negative yields. */
  const shares: Shares<number> = {
    of: (item) => {
      const size = Math.abs(item);
      return { sender: String(Math.floor(size / 100)), weight: size % 100, yields: item < 0 };
    },
    maxGroupWeight: 100,
    maxWaitingWeight: 300,
  };

  /** Adds items while a group is in progress, and says which groups follow. */
  async function groupsOf(items: number[], options: Parameters<typeof queueOf>[0] = {}) {
    const { queue, groups } = queueOf({ shares, ...options });
    const before = queue.add(1);
    await turn();
    const answers = items.map((item) => queue.add(item).catch((error: ApiError) => error.status));
    for (let index = 0; index < groups.length; index += 1) {
      groups[index]?.finish();
      await turn();
    }
    await before;
    const all = await Promise.all(answers);
    expect(queue.length).toBe(0);
    return { groups: groups.slice(1).map((group) => group.items), answers: all };
  }

  test('nothing waits behind more of what yields than a group may hold, however much came before', async () => {
    const items = [-140, -150, -160, -170, 101];
    const { groups, answers } = await groupsOf(items);
    expect(groups).toEqual([[101, -140, -150], [-160], [-170]]);
    expect(answers).toEqual(items);
  });

  test('when a group cannot hold all, senders take turns, and each keeps its order', async () => {
    const { groups } = await groupsOf([140, 130, 145, 120, 210, 320, 211]);
    expect(groups).toEqual([
      [140, 130, 210, 320],
      [145, 120, 211],
    ]);
  });

  test('a group that can hold all is not taken apart', async () => {
    const { groups } = await groupsOf([140, 130, 210, 111]);
    expect(groups).toEqual([[140, 130, 210, 111]]);
  });

  test('one that is heavier than a group may be is a group by itself', async () => {
    const { groups } = await groupsOf([199, 150, 101]);
    expect(groups).toEqual([[199], [150, 101]]);
    const heavy = { ...shares, maxGroupWeight: 10 };
    expect((await groupsOf([190, 101], { shares: heavy })).groups).toEqual([[190], [101]]);
  });

  test('when too much waits, whoever has the most loses the newest of it', async () => {
    const byWeight = await groupsOf([190, 190, 180, 250, 101]);
    expect(byWeight.answers).toEqual([190, 190, 503, 250, 101]);
    const byNumber = await groupsOf([101, 102, 201, 301], { maxWaiting: 3 });
    expect(byNumber.answers).toEqual([101, 503, 201, 301]);
  });

  test('what yields fills no place of what does not', async () => {
    const { answers } = await groupsOf([-190, -190, -190, -190, 290, 290], { maxWaiting: 2 });
    expect(answers).toEqual([-190, -190, -190, 503, 290, 290]);
  });

  test('what has waited too long is refused, and weighs nothing any more', async () => {
    const { queue, groups } = queueOf({ shares, maxAge: 60_000 });
    const before = queue.add(1);
    await turn();
    const long = performance.now() - 61_000;
    const late = [-199, 199].map((item) => queue.add(item, long).catch((error) => error.status));
    groups[0]?.finish();
    await before;
    expect(await Promise.all(late)).toEqual([503, 503]);
    const items = [-190, -190, -190, 190, 190, 190];
    const next = items.map((item) => queue.add(item));
    for (let index = 1; index < 5; index += 1) {
      await turn();
      groups[index]?.finish();
    }
    expect(await Promise.all(next)).toEqual(items);
  });
});
