import { PublicTurns } from '../../server/src/security/public-turns';

/** Work that ends when it is told to, and says in which order it began. */
function bench(most: number) {
  const turns = new PublicTurns(most);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes: Promise<unknown>[] = [];
  const take = (who: string, [maker, id]: [string, string], address: string): void => {
    const work = () =>
      new Promise<void>((resolve) => {
        begun.push(who);
        ends.push(resolve);
      });
    outcomes.push(turns.take({ maker, id }, address, work).catch(({ status }) => status));
  };
  const settle = () => new Promise(setImmediate);
  const end = async (many: number) => {
    for (let n = 0; n < many; n += 1) {
      ends.shift()?.();
      await settle();
    }
  };
  const endAll = async () => {
    while (ends.length > 0) await end(ends.length);
    return Promise.all(outcomes);
  };
  return { take, begun, end, endAll, settle };
}

test('one address at many sites takes half of the turns, and the rest are free', async () => {
  const { take, begun, endAll, settle } = bench(4);
  for (let n = 0; n < 220; n += 1) take('flood', [`group ${n % 60}`, `site ${n % 60}`], '203.0.113.1');
  await settle();
  expect(begun).toEqual(['flood', 'flood']);
  take('visitor', ['group own', 'own'], '198.51.100.7');
  expect(begun.at(-1)).toBe('visitor');
  await endAll();
  expect(begun).toHaveLength(221);
});

test('networks of one block share what the block has, over all sites', async () => {
  const { take, begun, endAll, settle } = bench(4);
  for (let n = 0; n < 40; n += 1) take('flood', [`group ${n}`, `site ${n}`], `2001:db8:1:${n}::1`);
  take('other', ['group 1', 'site 1'], '2001:db8:2::1');
  await settle();
  expect(begun).toEqual(['flood', 'flood', 'other']);
  await endAll();
});

test('many addresses at many sites of one maker have one turn in the round, and so has another maker', async () => {
  const { take, begun, end, endAll } = bench(1);
  for (let n = 0; n < 60; n += 1) take('flood', ['group 1', `site ${n}`], `203.0.113.${n}`);
  take('visitor', ['group 2', 'own'], '198.51.100.7');
  await end(2);
  expect(begun).toEqual(['flood', 'flood', 'visitor']);
  await endAll();
});

test('of an address, sites of several makers take turns at its share', async () => {
  const { take, begun, end, endAll } = bench(4);
  for (let n = 0; n < 20; n += 1) take('flood', ['group 1', `site ${n}`], '203.0.113.1');
  take('neighbour', ['group 2', 'own'], '203.0.113.1');
  await end(2);
  expect(begun).toContain('neighbour');
  await endAll();
});

test('what waits is bounded over all addresses: whoever has the most waiting loses the newest', async () => {
  const { take, begun, endAll, settle } = bench(4);
  for (let block = 0; block < 3; block += 1)
    for (let n = 0; n < 400; n += 1) take(`${block}`, [`group ${n}`, `site ${n}`], `203.0.113.${block}`);
  take('visitor', ['group own', 'own'], '198.51.100.7');
  await settle();
  expect(begun).toEqual(['0', '0', '1', '1']);
  const outcomes = await endAll();
  const refused = outcomes.filter((status) => status !== undefined);
  // Six have passed their block: four that began, and two that wait with the visitor for one of them.
  expect([refused, outcomes.at(-1)]).toEqual([Array(194).fill(503), undefined]);
});
