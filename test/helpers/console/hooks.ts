import type { Input } from '@avow/sdk';
import type { TestServer } from '../server';
import { until } from '../until';
import type { Receiver } from '../webhooks/receiver';
import type { Someone } from './console';
import { fromNow, HOUR } from './desk';

/** A site with one webhook to this receiver. */
export async function hooked(
  server: TestServer,
  receiver: Receiver,
  given: Partial<Input<'createWebhook'>['body']> = {},
) {
  const owner = await server.site();
  const { token } = owner;
  const body = { url: receiver.url, description: 'CRM', events: '*' as const, ...given };
  const { webhook_id } = await owner.client.createWebhook({ token, body });
  const read = () => owner.client.getWebhook({ token, webhook_id });
  return { owner, token, webhook_id, read, path: `/sites/${token}/webhooks/${webhook_id}` };
}

/** A visitor asks for something, which is an event. */
export const ask = (server: TestServer, token: string, email = 'a@example.com') =>
  server.visitor.submitDsar({ token, body: { request_type: 'access', email } });

export const disabled = (read: () => Promise<{ status: string }>) =>
  until('the webhook is disabled', async () => (await read()).status === 'disabled');

/**
 * Three webhooks with believable addresses: a disabled one with what it holds, one that fails, and an active
 * one.
 */
export async function fillWebhooks(
  server: TestServer,
  { client }: Someone,
  token: string,
  broken: Receiver,
): Promise<void> {
  const create = async (description: string, events: Input<'createWebhook'>['body']['events'] = '*') =>
    (await client.createWebhook({ token, body: { url: broken.url, description, events } })).webhook_id;
  const turn = (webhook_id: string, columns: object) =>
    server.service.context.db('webhooks').where({ webhook_id }).update(columns);
  const warehouse = await create('Data warehouse');
  await ask(server, token);
  await disabled(() => client.getWebhook({ token, webhook_id: warehouse }));
  // The first one disabled it, and is held with those that come from here on.
  for (const email of ['b@example.com', 'c@example.com']) await ask(server, token, email);
  await turn(warehouse, { url: 'https://warehouse.harbour-books.example/events/avow' });
  await turn(await create('Privacy mailbox', ['dsar.created', 'dsar.resolved']), {
    ...{ url: 'https://mail.harbour-books.example/hook', status: 'failing', consecutive_failures: 2 },
    ...{ last_error: 'The receiver answered 503.', retry_at: fromNow(2 * HOUR) },
  });
  await turn(await create('CRM'), {
    ...{ url: 'https://crm.harbour-books.example/hooks/avow', last_success_at: fromNow(-HOUR) },
  });
}
