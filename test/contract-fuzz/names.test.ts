import fc from 'fast-check';
import { bearerOf } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';
import { hintsFor, requestsOf } from './requests';
import { expectThat, operations, SEED, send } from './run';

const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });

/** Every object has something of this name; the contract lets a category have it too. */
const NAME = 'constructor';

const category = (key: string, required: boolean) => ({ key, name: 'Name', description: 'Words', required });

const categories = [category('necessary', true), category(NAME, false)];

test.each(operations)(
  '$id: a category that is named like what every object has is one like any other',
  async (operation) => {
    const { client: _, ...owner } = await server.site({ categories });
    const site = { ...owner, bearer: await bearerOf(server, owner.userId) };
    const own = await hintsFor(server, operation, site);
    const hints = {
      ...own,
      categories: [{ [NAME]: true }, categories],
      category: [NAME],
      allowed: [[NAME], []],
    };
    for (const parts of fc.sample(requestsOf(operation, hints), { numRuns: 8, seed: SEED })) {
      const answer = await send(server, site.userId, parts);
      expectThat(answer.status < 500, 'a name is not our fault', parts, answer);
    }
  },
);

test('its texts, choices and records are its own', async () => {
  const { client, token } = await server.site({
    categories,
    languages: ['en', 'de'],
  });
  const { hash } = await client.generateBundle({ token });
  const { data } = (await (await fetch(`${server.url}/api/bundles/${token}/${hash}/texts/de`)).json()) as {
    data: { texts: { categories: Record<string, object> } };
  };
  expect(Object.entries(data.texts.categories)).toContainEqual([
    NAME,
    { name: 'Name', description: 'Words' },
  ]);
  const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
  const before = await server.visitor.getPreferences({ token, session_id });
  expect(before).toMatchObject({ decision: null, categories: {} });
  const record = await server.visitor.savePreferences({ token, body: { session_id, categories: {} } });
  expect(Object.entries(record.categories)).toEqual([[NAME, false]]);
});
