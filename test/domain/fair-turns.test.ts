import { BY_INVITED, FairTurns, FOUNDER, MemberTurns, TurnsOfEach } from '../../server/src/domain/fair-turns';

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

test('however many were invited to a group, one place is left to whoever began it', async () => {
  const turns = new MemberTurns({ account: 3, group: 4 });
  const { begun, work, endOne } = bench();
  const take = (group: string, account: string, name: string) => turns.take([group, account], work(name));
  const crowd = ['a', 'a', 'b', 'b', 'c', 'c'].map((account) => take('one', `account ${account}`, account));
  const others = [take('one', FOUNDER, 'first'), take('two', FOUNDER, 'second')];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'a', 'b', 'first', 'second']);
  for (let i = 0; i < 8; i += 1) await endOne();
  await Promise.all([...crowd, ...others]);
  expect(begun).toHaveLength(8);
});

test('what is not the first of an account keeps no place that the first of another could have', async () => {
  const turns = new MemberTurns({ account: 3, group: 12, further: 4 });
  const { begun, work, endOne } = bench();
  const take = (name: string) => turns.take(['one', `account ${name}`], work(name));
  const all = ['a', 'b', 'c', 'd'].flatMap((name) => [take(name), take(name), take(name)]);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(8);
  all.push(take('e'), take('f'), take('g'));
  await new Promise(setImmediate);
  expect(begun.slice(8)).toEqual(['e', 'f', 'g']);
  for (let i = 0; i < 15; i += 1) await endOne();
  await Promise.all(all);
});

test('accounts that invited ones invited leave half of the places to the others', async () => {
  const turns = new MemberTurns({ account: 3, group: 12, further: 4 });
  const { begun, work, endOne } = bench();
  const take = (account: string) => turns.take(['one', account], work(account));
  const all = Array.from({ length: 11 }, (_, n) => take(`${BY_INVITED} ${n}`));
  await new Promise(setImmediate);
  expect(begun).toHaveLength(6);
  const others = ['account a', 'account b', 'account c', 'account d', 'account e', FOUNDER];
  all.push(...others.map(take));
  await new Promise(setImmediate);
  expect(begun.slice(6)).toEqual(others);
  expect([`${BY_INVITED} x`, 'account x'].map((one) => turns.isCrowded(['one', one]))).toEqual([true, false]);
  for (let i = 0; i < 17; i += 1) await endOne();
  await Promise.all(all);
});

test('a request that needs several turns waits for all of them as long as for one', async () => {
  jest.useFakeTimers();
  try {
    const gates = [1, 2].map(() => new FairTurns(1, { each: 10, all: 10, wait: 4_000 }));
    const held = gates.map(() => ({ end: () => {} }));
    const holding = gates.map((gate, n) =>
      gate.take(
        ['holder'],
        () => new Promise<void>((resolve) => Object.assign(held[n] as object, { end: resolve })),
      ),
    );
    const patience = { left: 4_000 };
    const [first, second] = gates as [FairTurns, FairTurns];
    const waits = first.take(['a'], () => second.take(['a'], async () => 'done', patience), patience);
    const outcome = waits.then(String, ({ status }) => status);
    await jest.advanceTimersByTimeAsync(3_000);
    held[0]?.end();
    await jest.advanceTimersByTimeAsync(900);
    expect(Math.round(patience.left / 10)).toBe(100);
    await jest.advanceTimersByTimeAsync(200);
    held[1]?.end();
    await Promise.all(holding);
    expect(await outcome).toBe(503);
  } finally {
    jest.useRealTimers();
  }
});

test('who began a group makes no room for those whom only another invited account could make room for', async () => {
  const turns = new MemberTurns({ account: 3, group: 2 });
  const { work, endOne } = bench();
  const all = [FOUNDER, 'account a', 'account b'].map((account) =>
    turns.take(['one', account], work(account)),
  );
  await new Promise(setImmediate);
  expect([turns.isCrowded(['one', FOUNDER]), turns.isCrowded(['one', 'account a'])]).toEqual([false, true]);
  for (let i = 0; i < 3; i += 1) await endOne();
  await Promise.all(all);
});

test('a group whose place is one works for whoever is next', async () => {
  const turns = new MemberTurns({ account: 1, group: 1 });
  const { begun, work, endOne } = bench();
  const all = ['account a', FOUNDER, 'account b'].map((account) =>
    turns.take(['one', account], work(account)),
  );
  for (let i = 0; i < 3; i += 1) await endOne();
  await Promise.all(all);
  expect([...begun].sort()).toEqual(['account a', 'account b', FOUNDER]);
});

test('the keys of an account leave one of its places to its login, and are told that it waits', async () => {
  const turns = new MemberTurns({ account: 3, group: 12 });
  const { begun, work, endOne } = bench();
  const take = (key: string | undefined, name: string) =>
    turns.take(key === undefined ? ['one', FOUNDER] : ['one', FOUNDER, key], work(name));
  const all = ['a', 'a', 'a', 'b', 'b'].map((key) => take(key, key));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'a']);
  all.push(take(undefined, 'login'));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'a', 'login']);
  // What waits in the account's own line makes its slow downloads yield, too.
  expect(turns.isCrowded(['one', FOUNDER])).toBe(true);
  expect(turns.isCrowded(['two', FOUNDER])).toBe(false);
  await endOne();
  // The keys take turns.
  expect(begun.slice(3)).toEqual(['a']);
  await endOne();
  expect(begun.slice(4)).toEqual(['b']);
  for (let i = 0; i < 6; i += 1) await endOne();
  await Promise.all(all);
});

test('an account that waits behind its own downloads is seen to wait', async () => {
  const turns = new MemberTurns({ account: 1, group: 4 });
  const { work, endOne } = bench();
  const all = [turns.take(['one', FOUNDER], work('a')), turns.take(['one', FOUNDER], work('b'))];
  await new Promise(setImmediate);
  expect(turns.isCrowded(['one', FOUNDER])).toBe(true);
  for (let i = 0; i < 2; i += 1) await endOne();
  await Promise.all(all);
});
