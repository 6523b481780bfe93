/** Makes it this instant for a server that runs in the test's process; its timers run on. `jest.useRealTimers()` ends it. */
export function itIs(at: number): void {
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'];
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'];
  jest.useFakeTimers({ now: at, doNotFake: [...doNotFake, ...timers] as never });
}

/** For `jest.mock('uuid', …)`: the library's clock never goes back, not even when a test's does; an id's time is the test's. */
export function idsAtTheTime(): object {
  const actual = jest.requireActual<typeof import('uuid')>('uuid');
  return { ...actual, v7: () => actual.v7({ msecs: Date.now() }) };
}
