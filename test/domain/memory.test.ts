import { SharedMemory } from '../../server/src/domain/memory';

const of = (size: number) => ({ size });

test('an owner has at most a part, and loses what it used longest ago', () => {
  const memory = new SharedMemory<{ size: number }>(100, 25);
  memory.set('other', of(10), 'other');
  for (let n = 0; n < 50; n += 1) {
    memory.set(`own ${n}`, of(10), 'greedy');
    memory.get('own 0');
  }
  const kept = Array.from({ length: 50 }, (_, n) => `own ${n}`).filter(
    (key) => memory.get(key) !== undefined,
  );
  expect(kept).toEqual(['own 0', 'own 49']);
  expect(memory.get('other')).toEqual(of(10));
});

test('all owners together have at most the whole', () => {
  const memory = new SharedMemory<{ size: number }>(100, 25);
  for (let n = 0; n < 20; n += 1) memory.set(`key ${n}`, of(20), `owner ${n}`);
  const kept = Array.from({ length: 20 }, (_, n) => n).filter((n) => memory.get(`key ${n}`) !== undefined);
  expect(kept).toEqual([15, 16, 17, 18, 19]);
  // Whose were dropped hold nothing of the memory.
  memory.set('key 0', of(25), 'owner 0');
  memory.set('again', of(25), 'owner 1');
  expect(memory.get('key 0')).toEqual(of(25));
});

test('what gets another owner counts for that one alone', () => {
  const memory = new SharedMemory<{ size: number }>(100, 25);
  memory.set('key', of(20), 'one');
  memory.set('key', of(20), 'other');
  memory.set('more', of(20), 'one');
  expect([memory.get('key'), memory.get('more')]).toEqual([of(20), of(20)]);
  memory.clear();
  expect([memory.get('key'), memory.get('more')]).toEqual([undefined, undefined]);
});
