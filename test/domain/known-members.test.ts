import { KnownMembers } from '../../server/src/domain/known-members';

const member = (group: string, key: string) => [group, 'account', key] as const;

test('a group that has too many forgets its own, and nobody else’s', () => {
  const known = new KnownMembers({ group: 3, all: 10 });
  known.learn('b', member('two', 'b'));
  for (let n = 0; n < 100; n += 1) known.learn(`a${n}`, member('one', String(n)));
  const kept = ['a96', 'a97', 'a98', 'a99', 'b'].map((name) => known.find(name) !== undefined);
  expect(kept).toEqual([false, true, true, true, true]);
});

test('of all, those that were not seen for longest are forgotten', () => {
  const known = new KnownMembers({ group: 3, all: 4 });
  for (const name of ['a', 'b', 'c', 'd']) known.learn(name, member(name, ''));
  known.learn('a', member('a', ''));
  known.learn('e', member('e', ''));
  expect(['a', 'b', 'c'].map((name) => known.find(name) !== undefined)).toEqual([true, false, true]);
});

test('what is forgotten or comes to another group leaves its place', () => {
  const known = new KnownMembers({ group: 2, all: 10 });
  for (const name of ['a', 'b']) known.learn(name, member('one', name));
  known.forget('a');
  known.forget('a');
  known.learn('b', member('two', 'b'));
  for (const name of ['c', 'd']) known.learn(name, member('one', name));
  expect(['a', 'b', 'c', 'd'].map((name) => known.find(name)?.[0])).toEqual([undefined, 'two', 'one', 'one']);
});
