import { randomUUID } from 'node:crypto';
import { useServer } from '../helpers/server';

const server = useServer();

test('a decision is recorded and the owner finds it', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const record = await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  const { items } = await client.listConsents({ token, session_id });
  expect(items).toEqual([record]);
});
