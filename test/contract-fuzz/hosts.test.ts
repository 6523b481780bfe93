import fc from 'fast-check';
import { ownedSite } from '../helpers/http/contract-requests';
import type { RawAnswer } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';
import { type Mutated, mutationsOf } from './mutations';
import { hintsFor, requestsOf } from './requests';
import { check, expectThat, operations, send } from './run';

/** The visitor host ahead of Express, and Express alone, on one database. */
let fast: TestServer;
let express: TestServer;
beforeAll(async () => {
  // One key: what one host keeps under an idempotency key, the other must be able to read.
  const variables = { ROLE: 'api', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  fast = await startServer({ variables, visitorHost: true });
  express = await startServer({ variables, visitorHost: false, databaseUrl: fast.databaseUrl });
});
afterAll(async () => {
  await express.stop();
  await fast.stop();
});

const visitorOperations = operations.filter(({ visitor }) => visitor);

/** What a caller may rely on: status, code, and every place that is wrong. */
function outcomeOf({ status, json, headers }: RawAnswer): unknown {
  const errors: { path: string }[] = json?.data?.errors ?? [];
  const { 'content-type': type, 'access-control-allow-origin': origin, allow } = headers;
  return {
    status,
    code: json?.data?.code,
    paths: [...new Set(errors.map(({ path }) => path))].sort(),
    type,
    origin,
    allow,
  };
}

/** A receipt says when it was issued. */
const undated = (text: string): string => text.replace(/"issued_at":"[^"]{24}"/, '');

test.each(visitorOperations)('$id: both hosts answer alike', async (operation) => {
  const site = await ownedSite(fast);
  const valid = requestsOf(operation, await hintsFor(fast, operation, site));
  const untouched = valid.map((parts): Mutated => ({ what: 'nothing', parts }));
  const cases = fc.oneof(
    { weight: 1, arbitrary: untouched },
    { weight: 5, arbitrary: mutationsOf(operation, valid) },
  );
  await check(cases, visitorOperations.length, async ({ what, parts }) => {
    const [one, two] = [await send(fast, site.userId, parts), await send(express, site.userId, parts)];
    const [first, second] = [JSON.stringify(outcomeOf(one)), JSON.stringify(outcomeOf(two))];
    expectThat(
      first === second,
      `${what}: the hosts differ\n  visitor host: ${first}\n  Express: ${second}`,
      parts,
      one,
    );
    if (operation.method === 'GET' && one.status === 200)
      expectThat(undated(one.text) === undated(two.text), `the hosts differ: ${two.text}`, parts, one);
  });
});
