import { randomUUID } from 'node:crypto';
import { contract, exampleRequest } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

const server = useServer();

const category = (key: string, description = '') => ({ key, name: key, description, required: false });

/** A site with a bundle of its first settings, which asks for more since. */
async function changedSite(
  change: (settings: Settings) => object = ({ categories }) => ({
    categories: [...categories, category('profiling')],
    policy_version: '2',
  }),
) {
  const { client, token } = await server.site();
  const first = (await client.generateBundle({ token, body: {} })).hash;
  const { settings } = await client.getEnvironment({ token });
  await client.updateEnvironment({ token, body: { settings: change(settings) } });
  return { client, token, first };
}

type Settings = Awaited<ReturnType<Client['getEnvironment']>>['settings'];

/** A decision as the banner sends it. */
const sent = (hash: string, version: number, more: object = {}) => ({
  ...{ event_id: randomUUID(), session_id: randomUUID(), decision: 'accept_all' as const },
  ...{ banner_version: version, bundle_hash: hash, ...more },
});

const report = (token: string, body: object) =>
  server.visitor.recordVisitorConsent({ token, body: body as never });

const ofFirst = {
  categories: { functional: true, analytics: true, marketing: true },
  policy_version: '1',
  banner_version: 1,
};

test('what an older banner asked for is what its visitor consented to', async () => {
  const { client, token, first } = await changedSite();
  const body = sent(first, 1);
  const { consent_id } = await report(token, body);
  const proof = await client.getConsent({ token, consent_id });
  expect(proof).toMatchObject({ ...ofFirst, shown: { version: 1 }, shown_bundle: { hash: first } });
  expect(proof.shown.settings.policy_version).toBe(proof.policy_version);
  const { session_id } = body;
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
    ...{ policy_version: '1', reconsent_required: true, reason: 'policy_changed' },
  });
});

test('a category that was added since is asked for again', async () => {
  const { token, first } = await changedSite(({ categories }) => ({
    categories: [...categories, category('profiling')],
  }));
  const body = sent(first, 1);
  await report(token, body);
  const { session_id } = body;
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
    ...{ categories: ofFirst.categories, reconsent_required: true, reason: 'new_categories' },
  });
});

test('every operation that takes a decision goes by the banner that it names, or by the present settings', async () => {
  const { client, token, first } = await changedSite();
  const decision = 'accept_all' as const;
  const allow = { profiling: true, marketing: true };
  const visitor = { address: '203.0.113.9' };
  const log = (more: object) =>
    server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision, ...more } });
  expect(await log({ banner_version: 1 })).toMatchObject(ofFirst);
  expect(await log({ bundle_hash: first })).toMatchObject(ofFirst);
  const present = {
    categories: { ...ofFirst.categories, profiling: true },
    ...{ policy_version: '2', banner_version: 2 },
  };
  expect(await log({})).toMatchObject(present);
  expect(await log({ bundle_hash: 'of-somebody-else' })).toMatchObject(present);
  const forVisitor = (more: object) =>
    client.logConsentForVisitor({ token, body: { session_id: randomUUID(), decision, visitor, ...more } });
  expect(await forVisitor({ banner_version: 1 })).toMatchObject(ofFirst);
  expect(await forVisitor({})).toMatchObject(present);
  const save = (more: object) =>
    server.visitor.savePreferences({
      token,
      body: { session_id: randomUUID(), categories: { marketing: true }, ...more },
    });
  const marketing = { functional: false, analytics: false, marketing: true };
  expect(await save({ banner_version: 1 })).toMatchObject({ ...ofFirst, categories: marketing });
  expect(await save({})).toMatchObject({ ...present, categories: { ...marketing, profiling: false } });
  for (const call of [save({ banner_version: 1, categories: allow }), save({ categories: { ads: true } })]) {
    const error = await refusal(call);
    expect([error.status, error.errors[0]?.code]).toEqual([400, 'unknown_category']);
  }
});

test('each decision of a report goes by its own banner, and they stay in their order', async () => {
  const { client, token, first } = await changedSite();
  const second = (await client.generateBundle({ token, body: {} })).hash;
  const session_id = randomUUID();
  server.service.context.sites.versions.forgetAll();
  const earlier = [sent(first, 1, { session_id }), sent(second, 2, { session_id, decision: 'reject_all' })];
  await report(token, { ...sent(first, 1, { session_id }), earlier });
  const { items } = await client.listConsents({ token, session_id });
  expect(
    items.map(({ decision, banner_version, policy_version }) => [decision, banner_version, policy_version]),
  ).toEqual([
    ['accept_all', 1, '1'],
    ['reject_all', 2, '2'],
    ['accept_all', 1, '1'],
  ]);
  expect((await server.visitor.getPreferences({ token, session_id })).policy_version).toBe('1');
});

test('a bundle of the site says more than a contradictory version', async () => {
  const { client, token } = await changedSite();
  const { hash } = await client.generateBundle({ token, body: {} });
  const { consent_id } = await report(token, sent(hash, 1));
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    ...{ banner_version: 2, policy_version: '2', shown: { version: 2 } },
    categories: { ...ofFirst.categories, profiling: true },
  });
});

test('earlier settings are read once, with all their parts, and then known', async () => {
  const long = 'd'.repeat(900);
  const { client, token } = await server.site({
    categories: Array.from({ length: 30 }, (_, n) => category(`c${n}`, long)),
  });
  await client.updateEnvironment({ token, body: { settings: { categories: [category('other')] } } });
  const { sites, visitorDb } = server.service.context;
  await server.visitor.getPreferences({ token, session_id: randomUUID() });
  const read: string[] = [];
  const note = ({ sql }: { sql: string }) => {
    if (/"settings_(versions|parts)"/.test(sql)) read.push(sql);
  };
  visitorDb.on('query', note);
  const accept = () => report(token, sent('of-somebody-else', 1));
  sites.versions.forgetAll();
  const { consent_id } = await accept();
  const cold = read.length;
  await accept();
  await accept();
  visitorDb.off('query', note);
  expect(cold).toBeGreaterThan(0);
  expect(read).toHaveLength(cold);
  expect(Object.keys((await client.getConsent({ token, consent_id })).categories)).toHaveLength(30);
});

test('settings that change while a process knows the site cost no statement', async () => {
  const { token, client } = await server.site();
  const accept = () => report(token, sent('of-somebody-else', 1));
  await accept();
  const { visitorDb } = server.service.context;
  const read: string[] = [];
  const note = ({ sql }: { sql: string }) => {
    if (sql.includes('settings_versions')) read.push(sql);
  };
  visitorDb.on('query', note);
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  const { consent_id } = await accept();
  visitorDb.off('query', note);
  expect(read).toEqual([]);
  expect((await client.getConsent({ token, consent_id })).policy_version).toBe('1');
});

test('a banner that is newer than what a process knows of the site is believed', async () => {
  const { client, token } = await server.site();
  const { sites } = server.service.context;
  const old = await sites.find(token);
  const settings = { policy_version: '2', categories: [category('profiling')] };
  await client.updateEnvironment({ token, body: { settings } });
  const { hash } = await client.generateBundle({ token, body: {} });
  const peek = jest.spyOn(sites, 'peek').mockReturnValue(old);
  const { consent_id } = await report(token, sent(hash, 2));
  peek.mockRestore();
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    ...{ banner_version: 2, policy_version: '2', categories: { profiling: true } },
  });
});

test('a withdrawal arrives although one of its categories has gone since', async () => {
  const { client, token, first } = await changedSite(({ categories }) => ({
    categories: [...categories.filter(({ key }) => key !== 'marketing'), category('ads')],
  }));
  const session_id = randomUUID();
  await report(token, sent(first, 1, { session_id }));
  const decision = 'save_preferences';
  const withdrawal = sent(first, 1, { session_id, decision, allowed: ['functional', 'marketing'] });
  const { consent_id } = await report(token, withdrawal);
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    categories: { functional: true, analytics: false, marketing: true },
  });
  // Silence is refusal: a name that no banner showed allows nothing.
  const unknown = sent(first, 1, { session_id, decision, allowed: ['ads', 'invented', 'analytics'] });
  const last = await report(token, unknown);
  expect(await client.getConsent({ token, consent_id: last.consent_id })).toMatchObject({
    categories: { functional: false, analytics: true, marketing: false },
  });
});

test('a paused site keeps no withdrawal out for good, an archived one takes none', async () => {
  const { client, token, first } = await changedSite();
  await report(token, sent(first, 1));
  const withdrawal = sent(first, 1, { decision: 'reject_all' });
  const post = () =>
    fetch(`${server.url}/api/v/${token}/ce`, { method: 'POST', body: JSON.stringify(withdrawal) });
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  const kept = await eventually(post, ({ status }) => status !== 202);
  expect([kept.status, Number(kept.headers.get('Retry-After'))]).toEqual([503, 60]);
  expect(((await kept.json()) as { message: string }).message).toContain('paused');
  const operation = contract.operations.find(({ id }) => id === 'logConsent') as never;
  expect((await raw(server.url, exampleRequest(operation, { token }))).status).toBe(403);
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  expect((await post()).status).toBe(403);
  await client.updateEnvironment({ token, body: { status: 'active' } });
  expect((await post()).status).toBe(202);
  const { session_id } = withdrawal;
  expect((await server.visitor.getPreferences({ token, session_id })).decision).toBe('reject_all');
});

test('a banner of settings that are lost is recorded, and nothing says that they were shown', async () => {
  const { client, token } = await server.site();
  await client.generateBundle({ token, body: {} });
  const { consent_id } = await report(token, sent('hash-of-lost-settings', 7, { decision: 'reject_all' }));
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    ...{ decision: 'reject_all', banner_version: 1, policy_version: '1', shown_bundle: null },
  });
  const { checks } = await client.getComplianceScore({ token });
  expect(checks.find(({ id }) => id === 'provable_consents')).toMatchObject({
    ...{ status: 'fail', evidence: '0 of 1 decisions of the last 30 days' },
  });
  const body = { session_id: randomUUID(), decision: 'reject_all' as const, banner_version: 7 };
  const error = await refusal(server.visitor.logConsent({ token, body }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.banner_version']]);
});

test('a decision is provable when its banner was made here', async () => {
  const { client, token } = await server.site();
  const decide = (more: object) =>
    server.visitor.logConsent({
      token,
      body: { session_id: randomUUID(), decision: 'accept_all', ...more },
    });
  const found = async () => {
    const { checks } = await client.getComplianceScore({ token });
    const of = (name: string) => checks.find(({ id }) => id === name);
    return [of('provable_consents')?.evidence, of('provable_consents')?.status, of('banner_alive')?.status];
  };
  await decide({ bundle_hash: 'invented' });
  await decide({ banner_version: 1 });
  expect(await found()).toEqual(['0 of 2 decisions of the last 30 days', 'fail', 'unknown']);
  // Of the same settings: what names their version is tied, what names nothing of the site is not.
  const { hash } = await client.generateBundle({ token, body: {} });
  await decide({ bundle_hash: hash });
  await decide({});
  expect(await found()).toEqual(['2 of 4 decisions of the last 30 days', 'fail', 'pass']);
  const other = await server.site();
  const own = (await other.client.generateBundle({ token: other.token, body: {} })).hash;
  await report(other.token, sent(own, 1));
  const { checks } = await other.client.getComplianceScore({ token: other.token });
  expect(checks.find(({ id }) => id === 'provable_consents')).toMatchObject({
    ...{ status: 'pass', evidence: '1 of 1 decisions of the last 30 days' },
  });
});

/** A changed site that had so many bundles since its first that no process remembers that one. */
async function oldSite() {
  const site = await changedSite();
  const bundles = Array.from({ length: 50 }, (_, n) => ({
    ...{ hash: n.toString(16).padStart(64, '0'), version: 2, vendors: null, program: null },
  }));
  await server.service.context
    .db('environments')
    .where({ token: site.token })
    .update({ bundles: JSON.stringify(bundles) });
  server.service.context.sites.forget(site.token);
  return site;
}

test('a bundle from before the remembered ones still says what was shown', async () => {
  const { client, token, first } = await oldSite();
  // The second time from memory.
  for (let n = 0; n < 2; n += 1) {
    const body = { session_id: randomUUID(), decision: 'accept_all' as const, bundle_hash: first };
    const { consent_id } = await server.visitor.logConsent({ token, body });
    const proof = await client.getConsent({ token, consent_id });
    expect(proof).toMatchObject({
      ...{ ...ofFirst, shown: { version: 1 }, shown_bundle: { hash: first, matches_shown: true } },
    });
    expect(proof.categories).not.toHaveProperty('profiling');
  }
});

test('a bundle that the site never had counts as not named, however many it had', async () => {
  const { client, token } = await oldSite();
  const bundle_hash = 'f'.repeat(64);
  const body = { session_id: randomUUID(), decision: 'accept_all' as const, bundle_hash };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    ...{ banner_version: 2, policy_version: '2', shown_bundle: null },
  });
});

test('hashes of bundles that are not remembered are looked up, many by one statement', async () => {
  const statements: string[] = [];
  const seen = ({ sql }: { sql: string }) => {
    if (sql.includes('from "bundles"')) statements.push(sql);
  };
  const [few, many] = [await changedSite(), await oldSite()];
  const { visitorDb } = server.service.context;
  visitorDb.on('query', seen);
  try {
    const invented = () => randomUUID().replaceAll('-', '').repeat(2);
    const decide = (token: string, more: object) =>
      server.visitor.logConsent({
        token,
        body: { session_id: randomUUID(), decision: 'accept_all', bundle_hash: invented(), ...more },
      });
    const { hash } = await few.client.generateBundle({ token: few.token, body: {} });
    await decide(few.token, { bundle_hash: hash });
    await decide(few.token, { bundle_hash: hash, banner_version: 1 });
    statements.length = 0;
    await decide(few.token, { bundle_hash: hash });
    await decide(few.token, { bundle_hash: undefined, banner_version: 1 });
    expect(statements).toEqual([]);
    await decide(many.token, { bundle_hash: many.first });
    await Promise.all(Array.from({ length: 5 }, () => decide(many.token, { bundle_hash: many.first })));
    expect(statements).toHaveLength(1);
    await Promise.all(Array.from({ length: 40 }, () => decide(many.token, { banner_version: 1 })));
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.length).toBeLessThan(40);
  } finally {
    visitorDb.off('query', seen);
  }
});

test('a bundle says more than a contradictory version, however old it is', async () => {
  const { client, token, first } = await oldSite();
  const body = { session_id: randomUUID(), decision: 'accept_all' as const, bundle_hash: first };
  const { consent_id } = await server.visitor.logConsent({ token, body: { ...body, banner_version: 2 } });
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    ...{ banner_version: 1, shown_bundle: { hash: first, matches_shown: true } },
  });
});

test('after a restore, the version of a lost banner proves nothing, though its number was given again', async () => {
  const { client, token } = await changedSite();
  await client.generateBundle({ token, body: {} });
  const lost = sent('ab'.repeat(32), 2);
  const { consent_id } = await report(token, lost);
  await server.visitor.logConsent({
    token,
    body: {
      session_id: randomUUID(),
      decision: 'accept_all',
      bundle_hash: 'ab'.repeat(32),
      banner_version: 2,
    },
  });
  expect((await client.getConsent({ token, consent_id })).shown_bundle).toBeNull();
  const { checks } = await client.getComplianceScore({ token });
  expect(checks.find(({ id }) => id === 'provable_consents')?.evidence).toBe(
    '0 of 2 decisions of the last 30 days',
  );
});

test('a bundle that another process has just made is known by its hash', async () => {
  const { client, token } = await changedSite();
  const { hash } = await client.generateBundle({ token, body: {} });
  // As a process sees the site that was not told yet.
  const { sites } = server.service.context;
  const before = await server.service.context.db('environments').where({ token }).first('bundles');
  await server.service.context.db('environments').where({ token }).update({ bundles: '[]' });
  sites.forget(token);
  await report(token, sent(hash, 2));
  await server.service.context
    .db('environments')
    .where({ token })
    .update({ bundles: JSON.stringify(before.bundles) });
  const { checks } = await client.getComplianceScore({ token });
  expect(checks.find(({ id }) => id === 'provable_consents')?.evidence).toBe(
    '1 of 1 decisions of the last 30 days',
  );
});
