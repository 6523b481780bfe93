import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });

test('every version of the settings is listed and read as it was, and a part of it is restored as a new one', async () => {
  const { client, token } = await server.site();
  const { settings: first } = await client.getEnvironment({ token });
  const { hash } = await client.generateBundle({ token });
  const session_id = randomUUID();
  const { consent_id } = await server.visitor.logConsent({
    token,
    body: { session_id, decision: 'accept_all', bundle_hash: hash },
  });
  const long = 'What we do with your data. '.repeat(100);
  const banner = { ...first.banner, layout: 'bar' as const, texts: { en: { description: long } } };
  await client.updateEnvironment({ token, body: { settings: { banner, policy_version: '2' } } });

  const { items, next_cursor } = await client.listSettingsVersions({ token });
  expect([items.map(({ version, current }) => [version, current]), next_cursor]).toEqual([
    [
      [2, true],
      [1, false],
    ],
    null,
  ]);
  const second = await client.getSettingsVersion({ token, version: 2 });
  expect(second).toMatchObject({ version: 2, current: true, settings: { banner, policy_version: '2' } });
  const old = await client.getSettingsVersion({ token, version: 1 });
  expect(old).toMatchObject({ version: 1, current: false, settings: first });

  // Only the banner: what else has changed stays.
  const restored = await client.updateEnvironment({
    token,
    body: { settings: { banner: old.settings.banner }, expected_settings_version: 2 },
  });
  expect(restored).toMatchObject({
    settings_version: 3,
    settings: { banner: first.banner, policy_version: '2' },
  });
  expect(await client.getSettingsVersion({ token, version: 2 })).toEqual({ ...second, current: false });
  const proof = await client.getConsent({ token, consent_id });
  expect([proof.banner_version, proof.shown_bundle?.hash]).toEqual([1, hash]);
});

test('versions are read in pages, and one that is not there is not found', async () => {
  const { client, token } = await server.site();
  for (const policy_version of ['2', '3', '4'])
    await client.updateEnvironment({ token, body: { settings: { policy_version } } });
  const seen: number[] = [];
  for await (const { version } of client.listSettingsVersions.each({ token, limit: 3 })) seen.push(version);
  expect(seen).toEqual([4, 3, 2, 1]);
  expect((await refusal(client.getSettingsVersion({ token, version: 5 }))).status).toBe(404);
  // A version that only another site has.
  const other = await server.site();
  expect((await refusal(other.client.getSettingsVersion({ token: other.token, version: 2 }))).status).toBe(
    404,
  );
  expect((await refusal(client.getSettingsVersion({ token, version: 0 }))).status).toBe(400);
});

test('a consent’s proof has what its banner was made from, and no people at the controller', async () => {
  const owner = await server.site();
  const { client, token } = owner;
  const contact = 'dpo@left.example';
  const controller = { name: 'Shop', dpo: { name: 'Left', email: contact } };
  await client.updateEnvironment({ token, body: { settings: { controller, policy_version: '7' } } });
  await client.updateEnvironment({ token, body: { settings: { controller: { name: 'Shop' } } } });
  const body = { session_id: randomUUID(), decision: 'reject_all' as const, banner_version: 2 };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  const person = await server.person();
  await join(owner, person, 'viewer');
  const { shown } = await person.client.getConsent({ token, consent_id });
  expect(shown).toMatchObject({ version: 2, settings: { policy_version: '7' } });
  expect(JSON.stringify(shown)).not.toContain(contact);
  // Nor do strangers, who may name any version in a decision of their own.
  const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id: body.session_id });
  expect(receipt.controller).toEqual({ name: 'Shop' });
  const { settings } = await client.getSettingsVersion({ token, version: 2 });
  expect(settings.controller).toEqual(controller);
});

test('viewers and operators read the list alone, and keys that only read no version: earlier details are the owner’s', async () => {
  const owner = await server.site();
  const { client, token } = owner;
  for (const role of ['viewer', 'operator'] as const) {
    const person = await server.person();
    await join(owner, person, role);
    expect((await person.client.listSettingsVersions({ token })).items).toHaveLength(1);
    expect((await refusal(person.client.getSettingsVersion({ token, version: 1 }))).status).toBe(403);
  }
  const keyed = async (scope: 'environments:read' | 'environments:write') => {
    const { key } = await client.createKey({ body: { name: scope, scopes: [scope] } });
    return createAvow({ baseUrl: server.url, apiKey: key });
  };
  const reading = await keyed('environments:read');
  expect((await reading.listSettingsVersions({ token })).items).toHaveLength(1);
  expect((await refusal(reading.getSettingsVersion({ token, version: 1 }))).status).toBe(403);
  const writing = await keyed('environments:write');
  expect((await writing.getSettingsVersion({ token, version: 1 })).version).toBe(1);
});
