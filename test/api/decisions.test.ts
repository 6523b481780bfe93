import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer();

const log = (token: string, body: object) =>
  server.visitor.logConsent({ token, body: { session_id: randomUUID(), ...body } as never });

test.each([
  ['accept_all', undefined, { functional: true, analytics: true, marketing: true }],
  ['reject_all', undefined, { functional: false, analytics: false, marketing: false }],
  ['save_preferences', { analytics: true }, { functional: false, analytics: true, marketing: false }],
  ['save_preferences', {}, { functional: false, analytics: false, marketing: false }],
  [
    'save_preferences',
    { necessary: true, marketing: true, analytics: false },
    { functional: false, analytics: false, marketing: true },
  ],
  // What is stated besides a whole decision is checked, and does not change it.
  ['accept_all', { analytics: false }, { functional: true, analytics: true, marketing: true }],
  ['reject_all', { analytics: true }, { functional: false, analytics: false, marketing: false }],
])('%s with %j is recorded as the categories that it means', async (decision, categories, expected) => {
  const { client, token } = await server.site();
  const record = await log(token, { decision, ...(categories && { categories }) });
  expect(record).toMatchObject({ decision, categories: expected });
  expect((await client.listConsents({ token })).items).toEqual([record]);
});

test('every unknown category is named, and nothing is recorded', async () => {
  const { client, token } = await server.site();
  for (const decision of ['save_preferences', 'accept_all', 'reject_all']) {
    const categories = JSON.parse('{"analytics":true,"ads":true,"__proto__":true,"constructor":false}');
    const error = await refusal(log(token, { decision, categories }));
    expect([error.status, error.code]).toEqual([400, 'validation_failed']);
    expect(pathsOf(error)).toEqual([
      'body.categories.__proto__',
      'body.categories.ads',
      'body.categories.constructor',
    ]);
  }
  expect((await client.listConsents({ token })).items).toEqual([]);
});

test('a required category cannot be refused', async () => {
  const { token } = await server.site();
  const error = await refusal(log(token, { decision: 'save_preferences', categories: { necessary: false } }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.categories.necessary']]);
});

test('save_preferences without categories is refused', async () => {
  const { token } = await server.site();
  const error = await refusal(log(token, { decision: 'save_preferences' }));
  expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
    400,
    ['body.categories'],
    'required',
  ]);
});

test('long names and many categories stay within the bounds of an answer', async () => {
  const category = (i: number) => ({
    key: `c${i}`.padEnd(40, 'x'),
    name: 'c',
    description: '',
    required: false,
  });
  const { token } = await server.site({ categories: Array.from({ length: 30 }, (_, i) => category(i)) });
  const error = await refusal(
    log(token, { decision: 'save_preferences', categories: { ['k'.repeat(5000)]: true } }),
  );
  expect(error.status).toBe(400);
  expect(error.errors[0]?.path.length).toBeLessThanOrEqual(500);
});

test('categories that share a name with what every object has are categories like others', async () => {
  const category = (key: string) => ({ key, name: key, description: '', required: false });
  const { client, token } = await server.site({
    categories: ['constructor', 'valueof', 'has_own'].map(category),
  });
  const session_id = randomUUID();
  const first = await log(token, { session_id, decision: 'save_preferences', categories: { valueof: true } });
  expect(first.categories).toEqual({ constructor: false, valueof: true, has_own: false });
  await log(token, { session_id, decision: 'save_preferences', categories: { constructor: true } });
  const proof = await client.getConsent({ token, consent_id: first.consent_id });
  expect(proof.withdrawn_at).not.toBeNull();
});

test('a record names the settings that were shown, and a version that does not exist is refused', async () => {
  const { client, token } = await server.site();
  expect((await log(token, { decision: 'accept_all' })).banner_version).toBe(1);
  const error = await refusal(log(token, { decision: 'accept_all', banner_version: 2 }));
  expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
    400,
    ['body.banner_version'],
    'unknown_version',
  ]);
  expect((await client.listConsents({ token })).items).toHaveLength(1);
});

test('a decision expires when the settings say so', async () => {
  const { token } = await server.site({ consent_lifetime_days: 7 });
  const { recorded_at, expires_at } = await log(token, { decision: 'accept_all' });
  expect(Date.parse(expires_at) - Date.parse(recorded_at)).toBe(7 * 86_400_000);
});

test('all that a decision states is kept', async () => {
  const { client, token } = await server.site();
  const stated = {
    ...{ language: 'pt-BR', page_url: 'https://shop.example.com/a', banner_version: 1, method: 'settings' },
    ...{
      bundle_hash: 'sha384-abcDEF_09',
      tc_string: 'CPXxRfAPXxRfAAfKABENB.A',
      gpp_string: 'DBABMA~CPXxRfA',
    },
  };
  const record = await log(token, { decision: 'accept_all', ...stated });
  expect(record).toMatchObject(stated);
  expect((await client.listConsents({ token })).items).toEqual([record]);
  const { consent_id } = record;
  expect(await client.getConsent({ token, consent_id })).toMatchObject(record);
});

test('session ids are the same in either case', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID().toUpperCase();
  const record = await log(token, { session_id, decision: 'accept_all' });
  expect(record.session_id).toBe(session_id.toLowerCase());
  expect((await client.listConsents({ token, session_id })).items).toEqual([record]);
  expect((await server.visitor.getPreferences({ token, session_id })).decision).toBe('accept_all');
});
