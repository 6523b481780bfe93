import { performance } from 'node:perf_hooks';
import { WAITING } from '../../server/src/domain/waiting-requests';
import { whileAllowed } from '../../server/src/http/reading';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

/** Pieces of a file, each of which takes the processor for a while. */
async function* pieces(): AsyncGenerator<number> {
  for (let n = 0; n < 30; n += 1) {
    for (const since = performance.now(); performance.now() - since < 5; );
    yield n;
  }
}

/** Which part of the time the event loop is busy while a file is sent. */
async function busyShare(): Promise<number> {
  const before = performance.eventLoopUtilization();
  const seen: number[] = [];
  for await (const piece of whileAllowed(pieces(), async () => undefined)) seen.push(piece);
  expect(seen).toHaveLength(30);
  return performance.eventLoopUtilization(before).utilization;
}

test('a file takes all of the event loop while nobody waits, and leaves half of it to those who do', async () => {
  const alone = await busyShare();
  WAITING.count += 1;
  const besides = await busyShare();
  WAITING.count -= 1;
  expect(besides).toBeLessThan(alone - 0.2);
});

test('all files together leave half of it, however many are sent', async () => {
  const share = async (): Promise<number> => {
    const before = performance.eventLoopUtilization();
    await Promise.all(Array.from({ length: 12 }, busyShare));
    return performance.eventLoopUtilization(before).utilization;
  };
  const alone = await share();
  WAITING.count += 1;
  const besides = await share();
  WAITING.count -= 1;
  expect(besides).toBeLessThan(alone - 0.25);
});

test('requests wait until they are answered, whatever the answer is', async () => {
  const before = WAITING.count;
  const { token } = await server.site();
  for (const path of ['/healthz', '/nothing', '/console', '/openapi.json', `/api/consents/${token}/log`])
    await raw(server.url, { path });
  await raw(server.url, { method: 'HEAD', path: '/docs/' });
  expect(WAITING.count).toBe(before);
});
