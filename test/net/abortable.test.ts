import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deadline } from '../../server/src/net/abortable';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Why a wait ended. */
const reason = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve((signal.reason as { code?: string }).code), {
      once: true,
    });
  });

test('a deadline passes although garbage was collected meanwhile', async () => {
  const ended = reason(deadline(100, new AbortController().signal).signal);
  for (let n = 0; n < 5; n += 1) {
    await pause(10);
    collectGarbage();
  }
  expect(await ended).toBe('TIMEOUT');
});

test('a deadline ends with what it follows, and no more once it is released', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const one = deadline(60_000, first.signal, undefined, second.signal);
  const other = deadline(60_000, second.signal);
  other.release();
  const ended = reason(one.signal);
  second.abort();
  expect(await ended).toBe('STOPPED');
  expect(other.signal.aborted).toBe(false);
  one.release();
});
