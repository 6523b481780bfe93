import { SharedMemory } from '../../server/src/domain/memory';

const of = (size: number) => ({ size });
const keptOf = (memory: SharedMemory<{ size: number }>, name: string, count: number): number[] =>
  Array.from({ length: count }, (_, n) => n).filter((n) => memory.get(`${name} ${n}`) !== undefined);

test('an owner has all that nobody else uses', () => {
  const memory = new SharedMemory<{ size: number }>(100);
  for (let n = 0; n < 50; n += 1) {
    memory.set(`own ${n}`, of(10), 'greedy');
    memory.get('own 0');
  }
  expect(keptOf(memory, 'own', 50)).toEqual([0, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
});

test('whoever has the most makes room for all', () => {
  const memory = new SharedMemory<{ size: number }>(100);
  for (let n = 0; n < 2; n += 1) memory.set(`other ${n}`, of(10), 'other');
  for (let n = 0; n < 50; n += 1) memory.set(`own ${n}`, of(10), 'greedy');
  // What the others have is used least of all, and stays.
  expect(keptOf(memory, 'other', 2)).toEqual([0, 1]);
  expect(keptOf(memory, 'own', 50)).toEqual([42, 43, 44, 45, 46, 47, 48, 49]);
  for (let n = 2; n < 4; n += 1) memory.set(`other ${n}`, of(10), 'other');
  expect(keptOf(memory, 'own', 50)).toEqual([44, 45, 46, 47, 48, 49]);
  expect(keptOf(memory, 'other', 4)).toEqual([0, 1, 2, 3]);
});

test('all owners together have at most the whole', () => {
  const memory = new SharedMemory<{ size: number }>(100);
  for (let n = 0; n < 20; n += 1) memory.set(`key ${n}`, of(20), `owner ${n}`);
  expect(keptOf(memory, 'key', 20)).toEqual([15, 16, 17, 18, 19]);
  // Nothing is remembered of those that have nothing any more.
  expect((memory as unknown as { owners: Map<string, unknown> }).owners.size).toBe(5);
  // What is larger than the whole is kept alone.
  memory.set('large', of(500), 'owner 1');
  expect([...keptOf(memory, 'key', 20), memory.get('large')]).toEqual([of(500)]);
});

test('what gets another owner counts for that one alone', () => {
  const memory = new SharedMemory<{ size: number }>(45);
  memory.set('key', of(20), 'one');
  memory.set('key', of(20), 'other');
  memory.set('more', of(25), 'one');
  expect([memory.get('key'), memory.get('more')]).toEqual([of(20), of(25)]);
  memory.clear();
  expect([memory.get('key'), memory.get('more')]).toEqual([undefined, undefined]);
});
