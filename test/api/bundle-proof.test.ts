import { randomUUID } from 'node:crypto';
import { load } from '../helpers/http/files';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

const policy = (policy_version: string) => ({ settings: { policy_version } });
const visit = () => ({ session_id: randomUUID(), decision: 'accept_all' as const });

test('what a visitor saw can be shown from the record, after everything has changed', async () => {
  const { client, token } = await server.site();
  const { hash } = await client.generateBundle({ token, body: { layout: 'bar' } });
  const body = { ...visit(), bundle_hash: hash };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  await client.updateEnvironment({ token, body: policy('2') });
  await client.generateBundle({ token });
  const proof = await client.getConsent({ token, consent_id });
  expect(proof).toMatchObject({ bundle_hash: hash, banner_version: 1, shown: { version: 1 } });
  expect(proof.shown_bundle).toMatchObject({ hash });
  const record = await client.getBundleRecord({ token, hash: proof.shown_bundle?.hash as string });
  expect(record.config).toMatchObject({ layout: 'bar', policy_version: '1', settings_version: 1 });
  const path = new URL(proof.shown_bundle?.immutable_url as string).pathname;
  expect((await load(server.url + path)).text).toContain(hash);
});

test('a decision without a version belongs to the version of the bundle that it names', async () => {
  const { client, token } = await server.site();
  const first = await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: policy('2') });
  const second = await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: policy('3') });
  const version = async (input: object) =>
    (await server.visitor.logConsent({ token, body: { ...visit(), ...input } })).banner_version;
  expect(await version({ bundle_hash: first.hash })).toBe(1);
  expect(await version({ bundle_hash: second.hash })).toBe(2);
  expect(await version({})).toBe(3);
  // Only the server knows what a bundle was made of; what is unknown here says nothing.
  expect(await version({ bundle_hash: first.hash, banner_version: 3 })).toBe(1);
  expect(await version({ bundle_hash: 'made-up-hash' })).toBe(3);
});

test('every way to record a decision knows the bundle', async () => {
  const { client, token } = await server.site();
  const { hash: bundle_hash } = await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: policy('2') });
  const session_id = randomUUID();
  const preferences = { session_id, categories: { analytics: true }, bundle_hash };
  await server.visitor.savePreferences({ token, body: preferences });
  const compact = { event_id: randomUUID(), session_id, decision: 'reject_all' as const, bundle_hash };
  await server.visitor.recordVisitorConsent({ token, body: compact });
  const { items } = await client.listConsents({ token, session_id });
  expect(items.map((item) => [item.bundle_hash, item.banner_version])).toEqual([
    [bundle_hash, 1],
    [bundle_hash, 1],
  ]);
});

test('an impression counts for the version that was shown, so that answers can be held against it', async () => {
  const { client, token } = await server.site();
  const { hash: bundle_hash } = await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: policy('2') });
  await server.visitor.recordImpression({ token, body: { bundle_hash } });
  await server.visitor.recordImpression({ token, body: {} });
  const counted = await server.service.context
    .db('daily_counts')
    .join('environments', 'environments.id', 'daily_counts.environment_id')
    .where({ token, metric: 'impression' })
    .orderBy('banner_version')
    .select('banner_version', 'n');
  expect(counted).toEqual([
    { banner_version: 1, n: 1 },
    { banner_version: 2, n: 1 },
  ]);
});

test('a hash that was not generated here, or for another site, proves no bundle', async () => {
  const { client, token } = await server.site();
  const other = await server.site();
  const { hash } = await other.client.generateBundle({ token: other.token });
  for (const bundle_hash of [hash, 'made-up-hash', undefined]) {
    const body = { ...visit(), ...(bundle_hash && { bundle_hash }) };
    const { consent_id } = await server.visitor.logConsent({ token, body });
    expect((await client.getConsent({ token, consent_id })).shown_bundle).toBeNull();
  }
});

test('the erasure of a visitor leaves the bundle, which holds nothing of anybody', async () => {
  const { client, token } = await server.site();
  const { hash } = await client.generateBundle({ token });
  const body = { ...visit(), bundle_hash: hash };
  await server.visitor.logConsent({ token, body });
  await client.eraseSession({ token, session_id: body.session_id });
  expect(await client.getBundleRecord({ token, hash })).toMatchObject({ hash });
});
