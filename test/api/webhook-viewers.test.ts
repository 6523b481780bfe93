import type { Role } from '../../server/src/domain/types';
import { contract } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

const MARK = 's3cr3t-of-the-receiver';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '3600,3600,3600,3600' } });
});
afterAll(() => server.stop());

/** A site with a failing webhook whose address is a secret, which the receiver repeats in its answers. */
async function watched() {
  const site = await server.site();
  const { client, token } = site;
  const receiver = await receive(({ path, headers }, response) =>
    response.writeHead(500).end(`Cannot POST ${path} with ${headers.authorization}`),
  );
  const url = `${new URL(receiver.url).origin}/hooks/${MARK}?key=${MARK}`;
  const body = { url, events: '*' as const, headers: { Authorization: `Bearer ${MARK}` } };
  const { webhook_id } = await client.createWebhook({ token, body });
  const { delivery_id } = await client.testWebhook({ token, webhook_id });
  await submit(server, token);
  await receiver.until(2);
  await server.service.context.db('webhooks').where({ webhook_id }).update({
    status: 'disabled',
    disabled_at: new Date(),
    disabled_reason: '5 consecutive deliveries failed.',
  });
  return { ...site, webhook_id, delivery_id, url, origin: new URL(url).origin };
}

/** A new person with this role. */
async function colleague(token: string, role: Role) {
  const { db, tokens } = server.service.context;
  const person = await server.person();
  const { id } = await db('environments').where({ token }).first('id');
  await db('members').insert({ environment_id: id, user_id: person.userId, role, added_at: new Date() });
  return { ...person, bearer: (await tokens.issue(person.userId)).token };
}

test('viewers see scheme and host of a webhook, and not the rest; operators and owners see all', async () => {
  const { client, token, webhook_id, url, origin } = await watched();
  const [viewer, operator] = [await colleague(token, 'viewer'), await colleague(token, 'operator')];
  const seen = async (who: { client: typeof client }) => {
    const one = await who.client.getWebhook({ token, webhook_id });
    const list = await who.client.listWebhooks({ token });
    const { items } = await who.client.listDeliveries({ token, webhook_id });
    return [one.url, list.items[0]?.url, items.some(({ response_body }) => response_body?.includes(MARK))];
  };
  expect(await seen(viewer)).toEqual([`${origin}/***`, `${origin}/***`, false]);
  expect(await seen(operator)).toEqual([url, url, true]);
  expect(await seen({ client })).toEqual([url, url, true]);
  const { items } = await viewer.client.listDeliveries({ token, webhook_id });
  expect(items.map(({ response_body, response_status }) => [response_body, response_status])).toEqual([
    ...[[null, 500] as const, [null, 500] as const],
  ]);
});

test('no operation that a viewer may call answers with any of it', async () => {
  const { token, webhook_id, origin } = await watched();
  const { bearer } = await colleague(token, 'viewer');
  const asked = contract.operations.filter(
    ({ method, role, segments }) =>
      method === 'GET' &&
      role === 'viewer' &&
      segments.every((segment) => !segment.startsWith('{') || /^\{(token|webhook_id)\}$/.test(segment)),
  );
  const answers = new Map<string, string>();
  for (const { id, path } of asked) {
    const filled = path.replace('{token}', token).replace('{webhook_id}', webhook_id);
    const { status, text } = await raw(server.url, {
      path: filled,
      headers: { Authorization: `Bearer ${bearer}` },
    });
    answers.set(id, text);
    expect([id, status < 500]).toEqual([id, true]);
  }
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(['listWebhooks', 'getWebhook', 'listDeliveries', 'listEvents', 'listWarnings']),
  );
  expect(answers.get('listWarnings')).toContain(new URL(origin).host);
  for (const [id, text] of answers) expect([id, text.includes(MARK)]).toEqual([id, false]);
});
