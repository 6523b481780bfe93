import { clock } from '../../server/src/domain/clock';
import { bodyIn, endingOf, keyIn } from '../../server/src/domain/decision-keys';
import { newId, timeOfId } from '../../server/src/domain/ids';

afterEach(() => jest.restoreAllMocks());

test('ids are different and in order, also those of one millisecond, with an ending and without', () => {
  const now = Date.now() + 10_000;
  jest.spyOn(clock, 'now').mockReturnValue(now);
  const ids = Array.from({ length: 300_000 }, (_, n) => newId(n % 2 ? 'f'.repeat(14) : undefined));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id, n) => n === 0 || (ids[n - 1] as string) < id)).toBe(true);
  expect(timeOfId(ids[0] as string).getTime()).toBe(now);
});

test('an id with an ending is a UUIDv7 that holds its key and body', () => {
  const ending = endingOf('5f0e9c1e-6b1f-4a52-8d6c-7f1f0c5f1a10', 'abcd'.repeat(16));
  const id = newId(ending);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(id.replaceAll('-', '').endsWith(ending)).toBe(true);
  expect([keyIn(id).replace('-', ''), bodyIn(id)]).toEqual([ending.slice(0, 10), 'abcd']);
  expect(keyIn(newId(endingOf('another', 'abcd'.repeat(16))))).not.toBe(keyIn(id));
});
