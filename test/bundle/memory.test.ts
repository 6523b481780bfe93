import { Memory } from '../../server/src/domain/memory';

const filled = (most: number, ...keys: string[]): Memory<{ size: number }> => {
  const memory = new Memory<{ size: number }>(most);
  for (const key of keys) memory.set(key, { size: 10 });
  return memory;
};
const kept = (memory: Memory<{ size: number }>, keys: string) =>
  [...keys].filter((key) => memory.get(key) !== undefined).join('');

test('what fits stays', () => {
  expect(kept(filled(30, 'a', 'b', 'c'), 'abc')).toBe('abc');
});

test('what was used longest ago goes first', () => {
  const memory = filled(30, 'a', 'b', 'c');
  memory.get('a');
  memory.set('d', { size: 10 });
  expect(kept(memory, 'abcd')).toBe('acd');
});

test('a value that takes the place of another counts once', () => {
  const memory = filled(30, 'a', 'a', 'a', 'a', 'b', 'c');
  expect(kept(memory, 'abc')).toBe('abc');
});

test('one large value pushes out as many as it needs, and one that is larger than all is kept alone', () => {
  const memory = filled(30, 'a', 'b', 'c');
  memory.set('d', { size: 20 });
  expect(kept(memory, 'abcd')).toBe('cd');
  memory.set('e', { size: 31 });
  expect(kept(memory, 'abcde')).toBe('e');
  memory.set('f', { size: 10 });
  expect(kept(memory, 'ef')).toBe('f');
});

test('what is taken out makes room, and nothing is left of what was cleared', () => {
  const memory = filled(30, 'a', 'b', 'c');
  memory.delete('a');
  memory.delete('nothing');
  memory.set('d', { size: 10 });
  expect(kept(memory, 'abcd')).toBe('bcd');
  memory.clear();
  expect(memory.has('b')).toBe(false);
  for (const key of 'efg') memory.set(key, { size: 10 });
  expect(kept(memory, 'bcdefg')).toBe('efg');
});
