import { FairTurns, TurnsOfEach } from '../../server/src/domain/fair-turns';

/** Work that ends when it is told to, and says in which order it began. */
function bench() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name);
      ends.push(resolve);
    });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { begun, work, endOne };
}

test('whoever sends much waits behind themselves, and nobody else behind them', async () => {
  const turns = new FairTurns(1);
  const { begun, work, endOne } = bench();
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) =>
    turns.take([name[0] as string], work(name)),
  );
  for (let i = 0; i < 7; i += 1) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('no more run at once than may, and a failure hands its turn on', async () => {
  const turns = new FairTurns(2);
  const { begun, work, endOne } = bench();
  const failing = turns.take(['x'], () => Promise.reject(new Error('broken')));
  const all = ['a', 'b', 'c'].map((name) => turns.take([name], work(name)));
  await expect(failing).rejects.toThrow('broken');
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  for (let i = 0; i < 3; i += 1) await endOne();
  await Promise.all(all);
  expect(begun).toHaveLength(3);
});

test('one sender can have a hundred waiting; another one is still taken', async () => {
  const turns = new FairTurns(1);
  const { work, endOne } = bench();
  const all = Array.from({ length: 101 }, () => turns.take(['a'], work('a')));
  await expect(turns.take(['a'], work('a'))).rejects.toMatchObject({ status: 429 });
  all.push(turns.take(['b'], work('b')));
  for (let i = 0; i < 102; i += 1) await endOne();
  await Promise.all(all);
});

test('groups take turns, and within a group its senders do', async () => {
  const turns = new FairTurns(1);
  const { begun, work, endOne } = bench();
  const all = ['aa1', 'aa2', 'aa3', 'ab1', 'ba1', 'ac1', 'ba2'].map((name) =>
    turns.take([name[0] as string, name.slice(0, 2)], work(name)),
  );
  for (let i = 0; i < 7; i += 1) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(['aa1', 'aa2', 'ba1', 'ab1', 'ba2', 'ac1', 'aa3']);
});

test('when too much waits, the newest of whoever has the most goes; who has little is taken', async () => {
  const turns = new FairTurns(1, { each: 4, all: 6 });
  const { begun, work, endOne } = bench();
  const outcomes: [string, number][] = [];
  const take = (name: string) =>
    turns.take([name[0] as string, name.slice(0, 2)], work(name)).catch(({ status, headers }) => {
      expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
      outcomes.push([name, status]);
    });
  const all = ['xx1', 'aa1', 'aa2', 'aa3', 'ab1'].map(take);
  // A fifth of the group: the largest sender of the group pays, not the one that came last.
  all.push(take('ac1'));
  await new Promise(setImmediate);
  expect(outcomes).toEqual([['aa3', 429]]);
  all.push(take('ba1'), take('ca1'), take('da1'));
  await new Promise(setImmediate);
  expect(outcomes.slice(1)).toEqual([['aa2', 503]]);
  for (let i = 0; i < 7; i += 1) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(['xx1', 'aa1', 'ba1', 'ca1', 'da1', 'ab1', 'ac1']);
});

test('a crowd of senders with one piece each leaves the bound where it is', async () => {
  const turns = new FairTurns(1, { each: 4, all: 6 });
  const { work, endOne } = bench();
  const crowd = Array.from({ length: 20 }, (_, n) => turns.take([`s${n}`], work(`s${n}`)));
  const settled = Promise.allSettled(crowd);
  for (let i = 0; i < 7; i += 1) await endOne();
  const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []));
  expect(refused).toEqual(Array(13).fill(503));
});

test('each group has so much running at once, and its senders take turns with what is more', async () => {
  const turns = new TurnsOfEach(2);
  const { begun, work, endOne } = bench();
  const all = ['aa1', 'aa2', 'aa3', 'aa4', 'ab1', 'ba1'].map((name) =>
    turns.take([name[0] as string, name.slice(0, 2)], work(name)),
  );
  await new Promise(setImmediate);
  expect(begun).toEqual(['aa1', 'aa2', 'ba1']);
  for (let i = 0; i < 6; i += 1) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(['aa1', 'aa2', 'ba1', 'aa3', 'ab1', 'aa4']);
});
