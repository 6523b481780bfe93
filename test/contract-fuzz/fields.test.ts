import fc from 'fast-check';
import { ownedSite } from '../helpers/http/contract-requests';
import { startServer, type TestServer } from '../helpers/server';
import { allRows } from '../helpers/site/rows';
import { INWARD } from '../helpers/webhooks/receiver';
import { changed, nameOf, placesOf } from './mutations';
import { refusalOf } from './oracle';
import { bodySchema, hintsFor, type Parts, requestsOf } from './requests';
import { expectThat, operations, SEED, send } from './run';
import { valuesOf } from './values';

/** So many wrong bodies are tried with one operation, at most; FUZZ_FIELDS=5000 tries all. */
const MAX_CASES = Number(process.env.FUZZ_FIELDS ?? 150);

/** The visitor host, and Express alone: every field is tried on both. */
let servers: TestServer[];
beforeAll(async () => {
  const fast = await startServer({ variables: { ...INWARD, ROLE: 'api' } });
  servers = [
    fast,
    await startServer({
      variables: { ...INWARD, ROLE: 'api' },
      visitorHost: false,
      databaseUrl: fast.databaseUrl,
    }),
  ];
});
afterAll(async () => {
  for (const server of [...servers].reverse()) await server.stop();
});

const withBody = operations.filter(({ bodyTypes }) => bodyTypes.length > 0);
const WRONG = [null, true, 2 ** 31, 'a\0b', 'a\ud800b', [], {}, 'x'.repeat(6_000), '@infinite', undefined];

test.each(withBody)(
  '$id: every field of a full body refuses what it cannot be, and is named',
  async (operation) => {
    const [server] = servers as [TestServer];
    const site = await ownedSite(server);
    const hints = await hintsFor(server, operation, site);
    const only = { numRuns: 1, seed: SEED };
    const base = fc.sample(requestsOf(operation, hints), only)[0] as Parts;
    const body = fc.sample(valuesOf(bodySchema(operation), hints, true), only)[0];
    const before = await allRows(server.service.context.db);
    const all = [...wrongBodies({ ...base, body })].filter(({ parts }) => refusalOf(parts) !== undefined);
    // Of very many, a part that the seed chooses.
    const step = Math.ceil(all.length / MAX_CASES);
    const cases = all.filter((_, i) => (i + SEED) % step === 0);
    const hosts = operation.visitor ? servers : [server];
    const trial = async ({ place, parts }: Case, host: TestServer): Promise<void> => {
      const expected = refusalOf(parts) as number[];
      const answer = await send(host, site.userId, parts);
      expectThat(expected.includes(answer.status), `${place} should be ${expected}`, parts, answer);
      const errors: { path: string }[] = answer.json.data.errors;
      const named = errors.some(({ path }) => path.startsWith(place) || place.startsWith(path));
      expectThat(answer.status !== 400 || named, `${place} is not named`, parts, answer);
    };
    for (let i = 0; i < cases.length; i += 16)
      await Promise.all(cases.slice(i, i + 16).flatMap((one) => hosts.map((host) => trial(one, host))));
    expect(cases.length).toBeGreaterThan(WRONG.length);
    expect(await allRows(server.service.context.db)).toEqual(before);
  },
);

interface Case {
  place: string;
  parts: Parts;
}

const isFirst = (key: string | number): boolean => !/^[1-9]\d*$/.test(String(key));

/** The body with each of the wrong values in each place, and with an unknown field in each object. */
function* wrongBodies(parts: Parts): Generator<Case> {
  // One item of a list stands for the others.
  for (const { keys, value } of placesOf(parts.body).filter((place) => place.keys.every(isFirst))) {
    for (const wrong of WRONG) {
      if (keys.length === 0 && wrong === undefined) continue;
      yield { place: nameOf(keys), parts: { ...parts, body: changed(parts.body, keys, wrong) } };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const name of ['unknown', '__proto__', 'constructor'])
      yield {
        place: nameOf([...keys, name]),
        parts: { ...parts, body: changed(parts.body, [...keys, name], 1) },
      };
  }
}
