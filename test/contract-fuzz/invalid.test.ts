import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Owned, ownedSite } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { rowsOf } from '../helpers/site/rows';
import { INWARD } from '../helpers/webhooks/receiver';
import { type Mutated, mutationsOf } from './mutations';
import { refusalOf } from './oracle';
import { hintsFor, requestsOf } from './requests';
import { check, expectThat, line, operations, send } from './run';
import { Unchanged } from './unchanged';

/** Stands in everything that belongs to the other owner. */
const MARK = randomUUID();
let other: Owned & { userId: number };
// No jobs: what is stored comes from the requests alone.
const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
beforeAll(async () => {
  other = await ownedSite(server);
  const client = await server.person(`Other ${MARK}`);
  const { token } = await client.client.createEnvironment({
    body: { name: MARK, domain: 'other.example.com', settings: { controller: { name: MARK } } },
  });
  other = { ...other, token };
  for (const decision of ['accept_all', 'reject_all'] as const)
    await server.visitor.logConsent({ token, body: { session_id: MARK, decision } });
});

/** Requests of the owner with one thing wrong, the other owner's token included. */
function casesFor(
  operation: (typeof operations)[number],
  hints: Record<string, readonly unknown[]>,
): fc.Arbitrary<Mutated> {
  const valid = requestsOf(operation, hints);
  const mutated = mutationsOf(operation, valid);
  if (!operation.bearer || !operation.hasToken) return mutated;
  const foreign = valid.map(
    (parts): Mutated => ({
      what: 'another owner’s environment',
      parts: { ...parts, path: { ...parts.path, token: other.token } },
    }),
  );
  return fc.oneof({ weight: 15, arbitrary: mutated }, { weight: 1, arbitrary: foreign });
}

test.each(operations)(
  '$id: what breaks the contract is refused, named, stores nothing and reaches nobody else',
  async (operation) => {
    const site = await ownedSite(server);
    const hints = await hintsFor(server, operation, site);
    const { db } = server.service.context;
    const theirs = await rowsOf(db, other.token);
    const unchanged = new Unchanged(db);
    let refused = 0;
    await check(casesFor(operation, hints), operations.length, async ({ what, parts, place }) => {
      const expected = parts.path.token === other.token ? [404] : refusalOf(parts);
      await (expected === undefined ? unchanged.end() : unchanged.begin());
      const answer = await send(server, site.userId, parts);
      expectThat(answer.status < 500, `${what} is not our fault`, parts, answer);
      expectThat(!answer.text.includes(MARK), `${what} shows what belongs to somebody else`, parts, answer);
      if (expected === undefined) return;
      refused += 1;
      expectThat(
        expected.includes(answer.status),
        `${what} should be ${expected.join(' or ')}`,
        parts,
        answer,
      );
      if (answer.json.data.code === 'validation_failed' && place !== undefined)
        expectThat(names(answer.json.data.errors, place), `${what} at ${place} is not named`, parts, answer);
      await unchanged.add(`${what}: ${line(parts)}`);
    });
    await unchanged.end();
    expect(refused).toBeGreaterThan(0);
    expect(await rowsOf(db, other.token)).toEqual(theirs);
  },
);

/** Whether an error stands at the place, inside of it, or around it. */
const names = (errors: { path: string }[], place: string): boolean =>
  errors.some(({ path }) => path.startsWith(place) || place.startsWith(path));
