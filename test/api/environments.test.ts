import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer();

const shop = (name = 'Shop') => ({ name, domain: 'shop.example.com' });

test('a new environment has an unguessable token, defaults, and the caller as its owner', async () => {
  const { client } = await server.person();
  const environment = await client.createEnvironment({ body: shop() });
  expect(environment).toMatchObject({
    ...{ name: 'Shop', domain: 'shop.example.com', domains: ['shop.example.com'] },
    ...{
      url: 'https://shop.example.com',
      status: 'active',
      role: 'owner',
      settings_version: 1,
      warnings: [],
    },
  });
  expect(environment.token).toMatch(/^env_[0-9A-Za-z]{22}$/);
  expect(environment.settings).toMatchObject({
    ...{ policy_version: '1', consent_lifetime_days: 180, retention_days: { consents: 1825, events: 90 } },
    ...{ default_language: 'en', languages: ['en'], time_zone: 'UTC', enforce_origin: false },
    banner: { first_layer_buttons: ['accept_all', 'reject_all', 'settings'] },
  });
  expect(environment.settings.categories.map(({ key, required }) => [key, required])).toEqual([
    ...[
      ['necessary', true],
      ['functional', false],
      ['analytics', false],
      ['marketing', false],
    ],
  ]);
  expect(await client.getEnvironment({ token: environment.token })).toEqual(environment);
});

test('everybody lists the environments that they are a member of, newest first, page by page', async () => {
  const { client } = await server.person();
  await server.site();
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) await client.createEnvironment({ body: shop(name) });
  const first = await client.listEnvironments({ limit: 2 });
  expect(first.items.map(({ name }) => name)).toEqual(['five', 'four']);
  await client.createEnvironment({ body: shop('six') });
  const rest: string[] = [];
  for await (const { name } of client.listEnvironments.each({
    cursor: first.next_cursor as string,
    limit: 2,
  }))
    rest.push(name);
  expect(rest).toEqual(['three', 'two', 'one']);
});

test('internationalised domains are stored as A-labels, in lower case, each once', async () => {
  const { client } = await server.person();
  const body = {
    name: 'Bücher',
    domain: 'BÜCHER.example',
    domains: ['xn--bcher-kva.example', 'www.Bücher.example.'],
  };
  const { domain, domains, url } = await client.createEnvironment({ body });
  expect(domain).toBe('xn--bcher-kva.example');
  expect(domains).toEqual(['xn--bcher-kva.example', 'www.xn--bcher-kva.example']);
  expect(url).toBe('https://xn--bcher-kva.example');
});

test.each([
  'example',
  'a..b',
  '-a.example',
  'a-.example',
  'a_b.example',
  'xn--.example',
  `${'a'.repeat(64)}.example`,
  '..',
  '*.example.com',
])('%s is no domain', async (domain) => {
  const { client } = await server.person();
  const main = await refusal(client.createEnvironment({ body: { name: 'Shop', domain } }));
  expect([main.status, pathsOf(main)]).toEqual([400, ['body.domain']]);
  const further = await refusal(
    client.createEnvironment({ body: { ...shop(), domains: ['ok.example.com', domain] } }),
  );
  expect([further.status, pathsOf(further)]).toEqual([400, ['body.domains.1']]);
});

test('a change keeps what it does not name, and makes no settings version without settings', async () => {
  const { client, token } = await server.site();
  const before = await client.getEnvironment({ token });
  const renamed = await client.updateEnvironment({ token, body: { name: 'New name' } });
  const { updated_at, revision } = renamed;
  expect(renamed).toEqual({ ...before, name: 'New name', updated_at, revision });
  expect(revision).not.toBe(before.revision);
  expect(renamed.updated_at >= before.updated_at).toBe(true);
  const nothing = await client.updateEnvironment({ token, body: {} });
  expect(nothing).toEqual({ ...renamed, updated_at: nothing.updated_at });
});

test('domains: `domain` and the further ones are changed apart from each other', async () => {
  const { client, token } = await server.site();
  const both = await client.updateEnvironment({
    token,
    body: { domains: ['m.example.com', 'shop.example.com'] },
  });
  expect(both.domains).toEqual(['shop.example.com', 'm.example.com']);
  const moved = await client.updateEnvironment({ token, body: { domain: 'new.example.com' } });
  expect(moved.domains).toEqual(['new.example.com', 'm.example.com']);
  const alone = await client.updateEnvironment({ token, body: { domains: [] } });
  expect(alone.domains).toEqual(['new.example.com']);
});

test.each([
  ['blanks', '  \u00a0\u3000'],
  ['marks of direction', '\u202e\u2066\u200f'],
  ['marks without a width', '\u200b\ufeff\u2060'],
])('a name of nothing but %s is refused, and one with a letter among them is kept', async (_, name) => {
  const { client, token } = await server.site();
  const created = await refusal(client.createEnvironment({ body: shop(name) }));
  const changed = await refusal(client.updateEnvironment({ token, body: { name } }));
  for (const error of [created, changed])
    expect([error.status, pathsOf(error)]).toEqual([400, ['body.name']]);
  expect((await client.updateEnvironment({ token, body: { name: `${name}א` } })).name).toBe(`${name}א`);
});

test('a name has no control characters, whatever stands beside them', async () => {
  const { client, token } = await server.site();
  for (const name of ['\u0001\u0085\u009f', '\u0001\u0085\u009fé', '\té']) {
    const changed = await refusal(client.updateEnvironment({ token, body: { name } }));
    expect([changed.status, pathsOf(changed)]).toEqual([400, ['body.name']]);
  }
});

test('every problem of a request is named at once', async () => {
  const { client } = await server.person();
  const body = { name: '', domain: 'a b', url: 'ftp://x', settings: { consent_lifetime_days: 0 }, extra: 1 };
  const error = await refusal(client.createEnvironment({ body } as never));
  expect(pathsOf(error)).toEqual([
    ...['body.domain', 'body.extra', 'body.name', 'body.settings.consent_lifetime_days', 'body.url'],
  ]);
});

test('one key makes one environment; with another body it is refused; another person’s key is another key', async () => {
  const { client } = await server.person();
  const options = { idempotencyKey: randomUUID() };
  const first = await client.createEnvironment({ body: shop() }, options);
  expect(await client.createEnvironment({ body: shop() }, options)).toEqual(first);
  const other = await refusal(client.createEnvironment({ body: shop('Other') }, options));
  expect([other.status, other.code]).toEqual([409, 'conflict']);
  const stranger = await server.person();
  const theirs = await stranger.client.createEnvironment({ body: shop() }, options);
  expect(theirs.token).not.toBe(first.token);
  expect((await client.listEnvironments()).items).toHaveLength(1);
});

test('twenty at once with one key make one environment', async () => {
  const { client } = await server.person();
  const options = { idempotencyKey: randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.createEnvironment({ body: shop() }, options)),
  );
  expect(new Set(answers.map(({ token }) => token)).size).toBe(1);
  expect((await client.listEnvironments()).items).toHaveLength(1);
});

test('a refused request uses no key up', async () => {
  const { client } = await server.person();
  const options = { idempotencyKey: randomUUID() };
  await refusal(client.createEnvironment({ body: { name: 'Shop', domain: 'nodot' } }, options));
  expect((await client.createEnvironment({ body: shop() }, options)).name).toBe('Shop');
});
