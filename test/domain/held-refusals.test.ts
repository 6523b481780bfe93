import { HeldRefusals } from '../../server/src/security/held-refusals';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** What has been sent, in its order. */
function sender(refusals: HeldRefusals) {
  const sent: string[] = [];
  const wait = (name: string, came = performance.now()) =>
    void refusals.wait([name[0] as string, name.slice(0, 2)], came).then(() => sent.push(name));
  return { sent, wait };
}

test('a refusal that took no work and one that took some are sent the same time after their requests', async () => {
  const { sent, wait } = sender(new HeldRefusals());
  const came = performance.now();
  wait('aa1', came);
  await jest.advanceTimersByTimeAsync(400);
  wait('ab2', came);
  await jest.advanceTimersByTimeAsync(599);
  expect(sent).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['aa1', 'ab2']);
  // What took longer waits for the next step, and tells no more than that.
  await jest.advanceTimersByTimeAsync(300);
  wait('ac3', came);
  await jest.advanceTimersByTimeAsync(699);
  expect(sent).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(3);
});

test('when too many are kept, whoever has the most gets the newest at once', async () => {
  const { sent, wait } = sender(new HeldRefusals(3));
  for (const name of ['aa1', 'aa2', 'bb1', 'aa3', 'bb2']) wait(name);
  await jest.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['aa3', 'bb2']);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual(['aa3', 'bb2', 'aa1', 'aa2', 'bb1']);
  expect(jest.getTimerCount()).toBe(0);
});
