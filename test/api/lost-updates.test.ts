import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const server = useServer();

/** A site with two owners. */
async function shared() {
  const one = await server.site();
  const two = await server.person();
  await join(one, two, 'owner');
  return { token: one.token, clients: [one.client, two.client] as const };
}

const vendor = (id: number, name = `Vendor ${id}`) => ({
  ...{ id, name, purposes: [1], leg_int_purposes: [], categories: ['analytics'], urls: [], cookies: [] },
});

/** How often each thing happened: the statuses of refusals, `won` for the rest. */
const outcomesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? 'won' : one.reason.status));

test('of two owners who change settings upon the same version, exactly one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token, clients } = await shared();
    const policies = ['one', 'two'];
    const outcomes = await outcomesOf(
      clients.map((client, at) =>
        client.updateEnvironment({
          token,
          body: { settings: { policy_version: policies[at] as string }, expected_settings_version: 1 },
        }),
      ),
    );
    expect([...outcomes].sort()).toEqual([409, 'won']);
    const { settings, settings_version } = await clients[0].getEnvironment({ token });
    expect([settings.policy_version, settings_version]).toEqual([policies[outcomes.indexOf('won')], 2]);
  }
});

test('who is late is told the present version, nothing of theirs is written, and upon that version it works', async () => {
  const { token, clients } = await shared();
  const [one, two] = clients;
  await one.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  await one.updateEnvironment({ token, body: { settings: { policy_version: '3' } } });
  const body = { name: 'Renamed', settings: { consent_lifetime_days: 90 }, expected_settings_version: 1 };
  const late = await refusal(two.updateEnvironment({ token, body }));
  expect([late.status, late.code]).toEqual([409, 'conflict']);
  expect(late.message).toMatch(/version is 3 now.*upon version 1\. Read the present ones/);
  const { settings_version, name } = await two.getEnvironment({ token });
  expect([settings_version, name]).toEqual([3, 'Example shop']);
  const now = await two.updateEnvironment({ token, body: { ...body, expected_settings_version: 3 } });
  expect([now.settings_version, now.name]).toEqual([4, 'Renamed']);
  expect(now.settings).toMatchObject({ policy_version: '3', consent_lifetime_days: 90 });
});

test('a version that is yet to come is none that a change can be made upon', async () => {
  const { client, token } = await server.site();
  const body = { settings: { policy_version: '2' }, expected_settings_version: 2 };
  expect((await refusal(client.updateEnvironment({ token, body }))).status).toBe(409);
  for (const wrong of [0, -1, 1.5, 2 ** 31, '1', null]) {
    const error = await refusal(
      client.updateEnvironment({
        token,
        body: { settings: { policy_version: '2' }, expected_settings_version: wrong as number },
      }),
    );
    expect([wrong, error.status, error.errors[0]?.path]).toEqual([
      wrong,
      400,
      'body.expected_settings_version',
    ]);
  }
});

test('a change that is sent again after it was made is no conflict, and makes no version', async () => {
  const { client, token } = await server.site();
  const body = { settings: { policy_version: '2' }, expected_settings_version: 1 };
  expect((await client.updateEnvironment({ token, body })).settings_version).toBe(2);
  expect((await client.updateEnvironment({ token, body })).settings_version).toBe(2);
});

test('the site’s name alone can be guarded by the version too', async () => {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  const late = client.updateEnvironment({ token, body: { name: 'Late', expected_settings_version: 1 } });
  expect((await refusal(late)).status).toBe(409);
  const now = await client.updateEnvironment({ token, body: { name: 'Now', expected_settings_version: 2 } });
  expect([now.name, now.settings_version]).toEqual(['Now', 2]);
});

test('of two owners who change name, domains, address or state upon the same revision, exactly one wins', async () => {
  const changes = [
    { name: 'Mine' },
    { domains: ['shop.example.com', 'm.example.com'] },
    { url: 'https://m.example.com' },
  ];
  for (const mine of [...changes, { domain: 'm.example.com' }]) {
    const { token, clients } = await shared();
    const { revision } = await clients[0].getEnvironment({ token });
    const bodies = [mine, { status: 'paused' as const }];
    const outcomes = await outcomesOf(
      clients.map((client, at) =>
        client.updateEnvironment({ token, body: { ...bodies[at], expected_revision: revision } }),
      ),
    );
    expect([...outcomes].sort()).toEqual([409, 'won']);
    const now = await clients[0].getEnvironment({ token });
    expect(now).toMatchObject(
      outcomes[0] === 'won' ? { ...mine, status: 'active' } : { name: 'Example shop' },
    );
    expect(now.status).toBe(outcomes[1] === 'won' ? 'paused' : 'active');
    expect(now.revision).not.toBe(revision);
  }
});

test('who is late with a name is told so; upon the present revision it works, and sent again it is no conflict', async () => {
  const { token, clients } = await shared();
  const [one, two] = clients;
  const { revision } = await two.getEnvironment({ token });
  const theirs = await one.updateEnvironment({ token, body: { name: 'Theirs', status: 'paused' } });
  const body = { name: 'Mine', settings: { policy_version: '2' } };
  const late = await refusal(
    two.updateEnvironment({ token, body: { ...body, expected_revision: revision } }),
  );
  expect([late.status, late.code]).toEqual([409, 'conflict']);
  expect(late.message).toMatch(/name, domains, address or status.*Read the present ones/);
  expect(await two.getEnvironment({ token })).toEqual(theirs);
  const upon = { ...body, expected_revision: theirs.revision };
  const now = await two.updateEnvironment({ token, body: upon });
  expect(now).toMatchObject({ name: 'Mine', status: 'paused', settings_version: 2 });
  const again = await two.updateEnvironment({ token, body: upon });
  expect(again).toEqual({ ...now, updated_at: again.updated_at });
});

test('neither settings nor vendors make another revision, and what is none is refused', async () => {
  const { client, token } = await server.site();
  const { revision } = await client.getEnvironment({ token });
  await client.replaceVendors({ token, body: { vendors: [vendor(1)] } });
  const now = await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  expect(now.revision).toBe(revision);
  for (const wrong of ['', 'x', `${revision}=`, 1, null]) {
    const body = { name: 'Late', expected_revision: wrong as string };
    const error = await refusal(client.updateEnvironment({ token, body }));
    expect([wrong, error.status, error.errors[0]?.path]).toEqual([wrong, 400, 'body.expected_revision']);
  }
});

test('of two owners who replace the same list of vendors, exactly one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token, clients } = await shared();
    const outcomes = await outcomesOf(
      clients.map((client, at) =>
        client.replaceVendors({ token, body: { vendors: [vendor(at + 1)], expected_version: 0 } }),
      ),
    );
    expect([...outcomes].sort()).toEqual([409, 'won']);
    const { vendors, vendor_list_version } = await server.visitor.getVendors({ token });
    expect(vendors.map(({ id }) => id)).toEqual([outcomes.indexOf('won') + 1]);
    expect(vendor_list_version).toBe(1);
  }
});

test('a list that was made of an older one is refused with the present version, and sent again it is no conflict', async () => {
  const { client, token } = await server.site();
  await client.replaceVendors({ token, body: { vendors: [vendor(1)] } });
  const body = { vendors: [vendor(2)], expected_version: 0 };
  const late = await refusal(client.replaceVendors({ token, body }));
  expect([late.status, late.code]).toEqual([409, 'conflict']);
  expect(late.message).toMatch(/version is 1 now.*version 0\. Read the present ones/);
  const upon = { ...body, expected_version: 1 };
  expect((await client.replaceVendors({ token, body: upon })).vendor_list_version).toBe(2);
  expect((await client.replaceVendors({ token, body: upon })).vendor_list_version).toBe(2);
});
