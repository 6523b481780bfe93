import { createAvow } from '@avow/sdk';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: INWARD });
const RECEIVER = { url: 'http://127.0.0.1:9/hook', events: '*' as const };

/** A site with two owners, the second of whom made a webhook. */
async function shared() {
  const one = await server.site();
  const two = await server.person('Dana Officer');
  await join(one, two, 'owner');
  const { token } = one;
  const { webhook_id } = await two.client.createWebhook({ token, body: RECEIVER });
  const webhook = () => one.client.getWebhook({ token, webhook_id });
  const warning = async () =>
    (await one.client.listWarnings({ token })).items.find(({ code }) => code === 'webhook_without_owner');
  return { one, two, token, webhook_id, webhook, warning };
}

test('a webhook tells who made it and what they may do today; a list of members how many each made', async () => {
  const { one, two, token, webhook } = await shared();
  const maker = { user_id: two.userId, name: 'Dana Officer', email: two.email };
  expect((await webhook()).created_by).toEqual({ ...maker, role: 'owner' });
  expect((await one.client.listWebhooks({ token })).items[0]?.created_by).toEqual({
    ...maker,
    role: 'owner',
  });
  const made = async () =>
    Object.fromEntries(
      (await one.client.listMembers({ token })).items.map(({ user_id, webhooks }) => [user_id, webhooks]),
    );
  expect(await made()).toEqual({ [one.userId]: 0, [two.userId]: 1 });
  await one.client.updateMember({ token, user_id: two.userId, body: { role: 'viewer' } });
  expect((await webhook()).created_by).toEqual({ ...maker, role: 'viewer' });
  await one.client.removeMember({ token, user_id: two.userId });
  expect((await webhook()).created_by).toEqual({ ...maker, role: null });
  expect(await made()).toEqual({ [one.userId]: 0 });
});

test('with a key it names the key; one that is older than this names nobody', async () => {
  const { client, token, userId } = await server.site();
  const { key, key_id } = await client.createKey({ body: { name: 'deploy', scopes: ['webhooks:write'] } });
  const { created_by, webhook_id } = await createAvow({ baseUrl: server.url, apiKey: key }).createWebhook({
    token,
    body: RECEIVER,
  });
  expect(created_by).toMatchObject({ user_id: userId, role: 'owner', key_id });
  const { db } = server.service.context;
  await db('webhooks').where({ webhook_id }).update({ created_by: null, created_with: null });
  expect((await client.getWebhook({ token, webhook_id })).created_by).toBeNull();
});

test('a webhook of somebody who is no longer an owner warns until an owner takes it over', async () => {
  const { one, two, token, webhook_id, warning } = await shared();
  expect(await warning()).toBeUndefined();
  const become = (role: 'owner' | 'operator') =>
    one.client.updateMember({ token, user_id: two.userId, body: { role } });
  await become('operator');
  expect(await warning()).toMatchObject({
    ...{ severity: 'warning', subject_id: webhook_id },
    message: expect.stringContaining('the webhook to 127.0.0.1:9.'),
  });
  await become('owner');
  expect(await warning()).toBeUndefined();
  await one.client.removeMember({ token, user_id: two.userId });
  expect(await warning()).toMatchObject({ subject_id: webhook_id });
  await one.client.rotateWebhookSecret({ token, webhook_id, body: { overlap_hours: 0 } });
  expect(await warning()).toBeUndefined();
});

test('one warning lists all of them, and leaves out those of owners', async () => {
  const { one, two, token, warning } = await shared();
  await one.client.createWebhook({ token, body: { ...RECEIVER, url: 'http://127.0.0.1:7/ours' } });
  for (let n = 1; n <= 4; n += 1)
    await two.client.createWebhook({ token, body: { ...RECEIVER, url: `http://127.0.0.1:10${n}/` } });
  await one.client.removeMember({ token, user_id: two.userId });
  const { message, subject_id } = (await warning()) ?? {};
  expect(subject_id).toBeNull();
  expect(message).toMatch(/the webhooks to (127\.0\.0\.1:\d+, ){2}127\.0\.0\.1:\d+ and 2 more\./);
  expect(message).not.toContain(':7');
});

test('a disabled account owns nothing either', async () => {
  const { two, webhook_id, warning } = await shared();
  await server.service.context.db('users').where({ id: two.userId }).update({ disabled_at: new Date() });
  expect(await warning()).toMatchObject({ subject_id: webhook_id });
});
