import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { SITES_PER_ACCOUNT: '3' } });

const shop = (n: number) => ({ body: { name: `Shop ${n}`, domain: `shop${n}.example.com` } });
const db = (table: string) => server.service.context.db(table);

test('an account makes as many sites as the operator allows, and is told what to do then', async () => {
  const { client } = await server.person();
  for (const n of [1, 2, 3]) await client.createEnvironment(shop(n));
  const error = await refusal(client.createEnvironment(shop(4)));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(/at most 3 sites .* use an existing one, .* raise SITES_PER_ACCOUNT\./);
  expect((await client.listEnvironments()).items).toHaveLength(3);
  // Nobody else is concerned.
  await (await server.person()).client.createEnvironment(shop(5));
});

test('a site counts for who made it: handing it over makes no room, and takes none of who owns it now', async () => {
  const [maker, taker] = [await server.person(), await server.person()];
  for (const n of [1, 2, 3]) await maker.client.createEnvironment(shop(n));
  await db('members').where({ user_id: maker.userId }).update({ user_id: taker.userId });
  expect((await refusal(maker.client.createEnvironment(shop(4)))).status).toBe(409);
  await taker.client.createEnvironment(shop(4));
});

test('being a viewer or an operator of many sites takes no room', async () => {
  const [owner, viewer] = [await server.person(), await server.person()];
  for (const n of [1, 2, 3]) {
    const { token } = await owner.client.createEnvironment(shop(n));
    const { id } = await db('environments').where({ token }).first('id');
    const role = n === 1 ? 'operator' : 'viewer';
    await db('members').insert({ environment_id: id, user_id: viewer.userId, role, added_at: new Date() });
  }
  await viewer.client.createEnvironment(shop(4));
});

test('of many requests at once no more succeed than there is room for', async () => {
  const { client } = await server.person();
  const made = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => client.createEnvironment(shop(n))));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const one of made) if (one.status === 'rejected') expect(one.reason.status).toBe(409);
});
