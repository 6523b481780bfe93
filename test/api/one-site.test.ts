import { createAvow } from '@avow/sdk';
import { createCode } from '../../server/src/services/accounts';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { type Client, PASSWORD, startServer, type TestServer } from '../helpers/server';

const shop = (n: number) => ({ body: { name: `Shop ${n}`, domain: `shop${n}.example.com` } });

let server: TestServer;
let founder: Client;
let invited: Client;
const withToken = (token: string): Client =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });

/** The first owner, who has the demo site, and somebody whom they invited to it. */
beforeAll(async () => {
  server = await startServer({ variables: { SITES_PER_ACCOUNT: '1', DEMO: 'on' } });
  const code = await createCode(server.service.context.db, null);
  const first = { code, password: PASSWORD, email: 'first@example.com' };
  founder = withToken((await server.visitor.acceptInvitation({ body: first })).token);
  const [demo] = (await founder.listEnvironments()).items;
  const body = { email: 'second@example.com', role: 'owner' as const };
  const { invitation_url } = await founder.addMember({ token: demo?.token ?? '', body });
  const second = { code: invitation_url?.split('#')[1] as string, password: PASSWORD };
  invited = withToken((await server.visitor.acceptInvitation({ body: second })).token);
});
afterAll(() => server.stop());

test('the only site that a group may have is not for accounts that were invited', async () => {
  const error = await refusal(invited.createEnvironment(shop(1)));
  expect([error.status, error.message]).toEqual([409, expect.stringContaining('at most 0 of the 1 sites')]);
});

test('whoever began it makes exactly one site, although they own the demo site', async () => {
  await founder.createEnvironment(shop(2));
  expect((await refusal(founder.createEnvironment(shop(3)))).status).toBe(409);
  expect((await founder.listEnvironments()).items).toHaveLength(2);
  expect((await refusal(invited.createEnvironment(shop(4)))).status).toBe(409);
});
