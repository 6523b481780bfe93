import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

const server = useServer();

const versionsOf = (token: string) =>
  server.service.context
    .db('settings_versions')
    .join('environments', 'environments.id', 'settings_versions.environment_id')
    .where({ token })
    .orderBy('version')
    .select('version', 'settings_versions.settings', 'created_by');

test('every change of settings makes the next version, and the older ones stay as they were', async () => {
  const { client, token, userId } = await server.site();
  const first = (await client.getEnvironment({ token })).settings;
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  const third = await client.updateEnvironment({ token, body: { settings: { consent_lifetime_days: 90 } } });
  expect(third.settings_version).toBe(3);
  expect(third.settings).toEqual({ ...first, policy_version: '2', consent_lifetime_days: 90 });
  const versions = await versionsOf(token);
  expect(versions).toMatchObject([
    { version: 1, settings: first, created_by: userId },
    { version: 2, settings: { ...first, policy_version: '2' } },
    { version: 3, settings: third.settings },
  ]);
});

test('the same settings again make no version', async () => {
  const { client, token } = await server.site();
  const { settings } = await client.getEnvironment({ token });
  const same = await client.updateEnvironment({ token, body: { settings } });
  expect(same.settings_version).toBe(1);
  expect(await versionsOf(token)).toHaveLength(1);
});

test('a part that is given replaces that part; null takes an address away', async () => {
  const { client, token } = await server.site({ controller: { name: 'Shop Ltd', email: 'a@example.com' } });
  const body = {
    settings: { controller: { name: 'Shop GmbH' }, imprint_url: 'https://example.com/imprint' },
  };
  const changed = await client.updateEnvironment({ token, body });
  expect(changed.settings.controller).toEqual({ name: 'Shop GmbH' });
  expect(changed.settings.imprint_url).toBe('https://example.com/imprint');
  const without = await client.updateEnvironment({ token, body: { settings: { imprint_url: null } } });
  expect(without.settings.imprint_url).toBeNull();
});

test('changes that are made at once are all kept, with a number each', async () => {
  const { client, token } = await server.site();
  const patches = [
    { policy_version: 'x' },
    { consent_lifetime_days: 30 },
    { enforce_origin: true },
    { security_measures: ['locked door'] },
    { time_zone: 'Asia/Kathmandu' },
  ];
  const answers = await Promise.all(
    patches.map((settings) => client.updateEnvironment({ token, body: { settings } })),
  );
  expect(answers.map((answer) => answer.settings_version).sort()).toEqual([2, 3, 4, 5, 6]);
  const { settings, settings_version } = await client.getEnvironment({ token });
  expect(settings).toMatchObject(Object.assign({}, ...patches));
  expect((await versionsOf(token)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(settings_version).toBe(6);
});

test('what a schema cannot say is refused with its place, and nothing changes', async () => {
  const { client, token } = await server.site();
  const category = (key: string) => ({ key, name: key, description: '', required: false });
  const settings = {
    categories: [category('ads'), category('maps'), category('ads')],
    default_language: 'de',
    time_zone: 'Mars/Olympus',
  };
  const error = await refusal(client.updateEnvironment({ token, body: { settings } }));
  expect(pathsOf(error)).toEqual([
    ...['body.settings.categories.2.key', 'body.settings.languages', 'body.settings.time_zone'],
  ]);
  expect((await client.getEnvironment({ token })).settings_version).toBe(1);
  const created = await refusal(
    client.createEnvironment({ body: { name: 'x', domain: 'x.example.com', settings } }),
  );
  expect(pathsOf(created)).toEqual(pathsOf(error));
});

test('half a banner, a category too many or an unknown setting is refused', async () => {
  const { client, token } = await server.site();
  const patch = (settings: object) =>
    refusal(client.updateEnvironment({ token, body: { settings } } as never)).then(pathsOf);
  expect(await patch({ banner: { layout: 'box' } })).toEqual([
    ...['body.settings.banner.colours', 'body.settings.banner.first_layer_buttons'],
    ...['body.settings.banner.position', 'body.settings.banner.texts', 'body.settings.banner.theme'],
  ]);
  const many = Array.from({ length: 31 }, (_, i) => ({
    key: `c${i}`,
    name: 'c',
    description: '',
    required: false,
  }));
  expect(await patch({ categories: many })).toEqual(['body.settings.categories']);
  expect(await patch({ categories: [] })).toEqual(['body.settings.categories']);
  expect(await patch({ colour: 'red' })).toEqual(['body.settings.colour']);
  expect(await patch({ retention_days: { consents: 29, events: 0 } })).toEqual([
    ...['body.settings.retention_days.consents', 'body.settings.retention_days.events'],
  ]);
});

test('visitors get new settings without a restart', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const ask = () => server.visitor.getPreferences({ token, session_id });
  expect((await ask()).environment.policy_version).toBe('1');
  await client.updateEnvironment({
    token,
    body: { settings: { policy_version: '2', languages: ['en', 'de'] } },
  });
  const { environment } = await eventually(ask, (answer) => answer.environment.policy_version === '2');
  expect(environment.languages).toEqual(['en', 'de']);
  const record = await server.visitor.logConsent({ token, body: { session_id, decision: 'reject_all' } });
  expect(record).toMatchObject({ policy_version: '2', banner_version: 2 });
});
