import { FairTurns } from '../../server/src/security/fair-turns';

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
