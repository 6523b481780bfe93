import fc from 'fast-check';
import type { Operation } from '../../server/src/contract/operations';
import { ownedSite } from '../helpers/http/contract-requests';
import { startServer, type TestServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';
import { addressGrowths, bodyGrowths, type Growth, headerGrowths } from './growth';
import { bodySchema, hintsFor, type Parts, requestsOf } from './requests';
import { operations, SEED, send } from './run';
import { valuesOf } from './values';

/**
 * Searches for time instead of for errors. A longer run: FUZZ_CASES=100000 FUZZ_SEED=2 npm test --
 * test/contract-fuzz/time No time is absolute: what grows is compared with a plain request of the same run,
 * and with a quarter of itself.
 */
const CASES = Number(process.env.FUZZ_CASES ?? 12);
/** Bytes of a body, and of an address or header, whose bounds are Node's. */
const BODY = 60_000;
const HEAD = 13_000;
/** What costs less than so many plain requests is noise. */
const FLOOR = 4;
/** Four times as much: n log n gives 4.6, a square 16. */
const GROWTH = 8;
/** How often what seems too costly is measured. */
const LOOKS = 4;
/** 64 KiB may cost so many plain requests: 50 ms where one costs 2. */
const LONGEST = 25;

jest.setTimeout(600_000);

let servers: TestServer[];
/** What was above the noise, for the end of the run. */
const costliest: { times: number; seen: string }[] = [];
beforeAll(async () => {
  const options = { variables: { ...INWARD, ROLE: 'api', TRUST_PROXY: '1' }, validateResponses: false };
  const fast = await startServer(options);
  servers = [fast, await startServer({ ...options, visitorHost: false, databaseUrl: fast.databaseUrl })];
});
afterAll(async () => {
  for (const server of [...servers].reverse()) await server.stop();
  const lines = costliest.sort((a, b) => b.times - a.times).map(({ seen }) => `  ${seen}\n`);
  process.stdout.write(`The costliest requests:\n${lines.slice(0, 5).join('')}`);
});

test.each(operations)('$id: no request costs more than its size', async (operation) => {
  const [server] = servers as [TestServer];
  const site = await ownedSite(server);
  const parts = await plainRequest(server, operation, site);
  for (const host of operation.visitor ? servers : [server]) {
    const cost = (sent: Parts): Promise<number> => costOf(() => send(host, site.userId, sent));
    const plain = await least(8, () => cost(parts));
    for (const growth of growthsOf(operation, parts)) await check(operation, growth, plain, cost);
  }
});

async function plainRequest(
  server: TestServer,
  operation: Operation,
  site: { token: string; bearer: string; email: string },
): Promise<Parts> {
  const hints = await hintsFor(server, operation, site);
  const only = { numRuns: 1, seed: SEED };
  const parts = fc.sample(requestsOf(operation, hints), only)[0] as Parts;
  if (operation.bodyTypes.length === 0) return parts;
  return { ...parts, body: fc.sample(valuesOf(bodySchema(operation), hints, true), only)[0] };
}

/**
 * All that grows lists and objects, and of the rest as much as the run has time for, which the seed chooses.
 */
function growthsOf(operation: Operation, parts: Parts): (Growth & { bytes: number })[] {
  const body = operation.bodyTypes.length === 0 ? [] : bodyGrowths(parts);
  const always = body.filter(({ what }) => / list of {}| own item|unlike names|unlike texts/.test(what));
  const rest = body.filter((growth) => !always.includes(growth));
  const head = headerGrowths(parts);
  return [
    ...[...always, ...chosen(rest, CASES)].map((growth) => ({ ...growth, bytes: BODY })),
    ...[...addressGrowths(parts), ...chosen(head, CASES / 3)].map((growth) => ({ ...growth, bytes: HEAD })),
  ];
}

function chosen<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, i) => (i + SEED) % step === 0);
}

async function check(
  { id }: Operation,
  { what, of, bytes }: Growth & { bytes: number },
  plain: number,
  cost: (sent: Parts) => Promise<number>,
): Promise<void> {
  const [large, small] = [of(bytes), of(bytes / 4)];
  // Nearly all is cheap at the first look.
  if ((await cost(large)) < FLOOR * plain) return;
  // A busy machine makes a request costlier, never cheaper: what is too costly is measured again, each part of the
  // comparison anew, and only what is too costly every time counts.
  let seen = '';
  for (let tries = 0; tries < LOOKS; tries += 1) {
    const whole = await least(5, () => cost(large), LONGEST * plain);
    if (whole < FLOOR * plain) return;
    const quarter = await least(5, () => cost(small), LONGEST * plain);
    seen = `${id} ${what}: ${(whole / plain).toFixed(1)} plain requests for ${bytes} bytes, ${(quarter / plain).toFixed(1)} for a quarter`;
    // Less than half a plain request is noise.
    const more = Math.max(quarter - plain, plain / 2);
    if (whole <= LONGEST * plain && whole - plain <= GROWTH * more) {
      costliest.push({ times: whole / plain, seen });
      return;
    }
  }
  throw new Error(seen);
}

/** The processor's milliseconds that a request takes, the client's included: nobody else's work counts. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  // Node itself refuses some, and cuts the connection.
  await work().catch((error: NodeJS.ErrnoException) => {
    if (!['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT'].includes(error.code ?? '')) throw error;
  });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several tries; when even that is hopeless, two are enough. */
async function least(tries: number, cost: () => Promise<number>, hopeless = Infinity): Promise<number> {
  let found = Infinity;
  for (let i = 0; i < tries && (i < 2 || found < 4 * hopeless); i += 1) found = Math.min(found, await cost());
  return found;
}
