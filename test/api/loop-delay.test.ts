import { setTimeout as delay } from 'node:timers/promises';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer();

/** Samples so far, all and those of more than half a second. */
async function samples(): Promise<{ all: number; long: number }> {
  const { text } = await raw(server.url, { path: '/metrics' });
  const read = (line: string): number =>
    Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length),
    );
  const all = read('avow_event_loop_delay_seconds_count');
  return { all, long: all - read('avow_event_loop_delay_seconds_bucket{le="0.5"}') };
}

test('/metrics tells how long the event loop was held', async () => {
  const before = await samples();
  const end = performance.now() + 600;
  while (performance.now() < end);
  // Collected metrics are served for a second.
  await delay(1_100);
  const after = await samples();
  expect(after.all).toBeGreaterThan(before.all);
  expect(after.long).toBeGreaterThan(before.long);
});
