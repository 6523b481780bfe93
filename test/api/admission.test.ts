import { randomUUID } from 'node:crypto';
import { contract, exampleRequest } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { rowsOf } from '../helpers/site/rows';
import { eventually } from '../helpers/until';

const server = useServer();

const visitorOperations = contract.operations.filter(({ visitor, hasToken }) => visitor && hasToken);
const preferences = (token: string, headers: Record<string, string> = {}) =>
  raw(server.url, { path: `/api/preferences/${token}?session_id=${randomUUID()}`, headers });
const records = async (token: string) => {
  const { environments: _, settings_versions: __, ...rows } = await rowsOf(server.service.context.db, token);
  return rows;
};

test('a paused environment refuses every visitor and stores nothing, until it is active again', async () => {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  await eventually(
    () => preferences(token),
    ({ status }) => status === 403,
  );
  const before = await records(token);
  for (const operation of visitorOperations) {
    const answer = await raw(server.url, exampleRequest(operation, { token }));
    // The banner forgets what is refused, and what it forgets may be a withdrawal.
    const expected = operation.id === 'recordVisitorConsent' ? [503, 'unavailable'] : [403, 'forbidden'];
    expect([operation.id, answer.status, answer.json.data.code]).toEqual([operation.id, ...expected]);
  }
  expect(await records(token)).toEqual(before);
  expect((await client.listConsents({ token })).items).toEqual([]);
  await client.updateEnvironment({ token, body: { status: 'active' } });
  await eventually(
    () => preferences(token),
    ({ status }) => status === 200,
  );
});

test('enforce_origin: pages of the environment’s domains only', async () => {
  const { client } = await server.person();
  const body = {
    name: 'Shop',
    domain: 'shop.example.com',
    domains: ['bücher.example'],
    settings: { enforce_origin: true },
  };
  const { token } = await client.createEnvironment({ body });
  const allowed = [
    'https://shop.example.com',
    'http://shop.example.com:8080',
    'https://www.shop.example.com',
    'https://xn--bcher-kva.example',
  ];
  for (const Origin of allowed)
    expect([Origin, (await preferences(token, { Origin })).status]).toEqual([Origin, 200]);
  const refused = [
    ...['https://evil.example', 'https://shop.example.com.evil.example', 'https://evilshop.example.com'],
    ...['https://sub.shop.example.com', 'null', '', 'shop.example.com', 'https://example.com', 'file://'],
    // Not a page of the web, though its host is the site's.
    ...['ftp://shop.example.com', 'chrome-extension://shop.example.com', 'ws://shop.example.com'],
  ];
  for (const Origin of refused)
    expect([Origin, (await preferences(token, { Origin })).status]).toEqual([Origin, 403]);
  expect((await preferences(token)).status).toBe(403);
  for (const operation of visitorOperations) {
    // A browser names no origin when it loads a script.
    if (operation.file) continue;
    const request = exampleRequest(operation, { token });
    const answer = await raw(server.url, {
      ...request,
      headers: { ...request.headers, Origin: 'https://evil.example' },
    });
    expect([operation.id, answer.status]).toEqual([operation.id, 403]);
  }
});

test('an unknown environment is unknown to every visitor operation', async () => {
  const tokens = [
    'env_0000000000000000000000',
    'env_',
    'x',
    `env_${'a'.repeat(21)}`,
    `env_${'a'.repeat(23)}`,
    'env_%00'.padEnd(30, 'a'),
    `env_${'é'.repeat(22)}`,
  ];
  for (const operation of visitorOperations) {
    for (const token of tokens) {
      const { path } = operation;
      const request = { ...exampleRequest(operation, { token: 'env_0000000000000000000000' }) };
      const place = path.replace('{token}', token.includes('%') ? token : encodeURIComponent(token));
      const answer = await raw(server.url, { ...request, path: request.path.replace(/^[^?]*/, place) });
      expect([operation.id, token, answer.status]).toEqual([operation.id, token, 404]);
    }
  }
});

test('an environment that was asked for before it existed is found once it does', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const later = token.split('').reverse().join('').replace(/_vne$/, '').padEnd(22, '0').slice(0, 22);
  const unborn = `env_${later}`;
  expect((await preferences(unborn)).status).toBe(404);
  await db('environments').where({ token }).update({ token: unborn, updated_at: new Date() });
  await eventually(
    () => preferences(unborn),
    ({ status }) => status === 200,
  );
  expect((await refusal(client.getEnvironment({ token }))).status).toBe(404);
});
