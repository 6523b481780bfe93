import { randomUUID } from 'node:crypto';
import { PROGRAM } from '../helpers/banner/program';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { ASKED_LIST, vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(60_000);
const server = useServer({ program: PROGRAM });
const ON = { choice_by_vendor: true };
const INVENTED = 'x'.repeat(24);

type Vendors = Record<string, boolean> | undefined;

/** A site with a banner, and how its visitors decide. */
async function publish(settings: object = ON) {
  const site = await server.site(settings);
  const { client, token } = site;
  await client.replaceVendors({ token, body: { vendors: ASKED_LIST } });
  const { hash: bundle_hash } = await client.generateBundle({ token });
  const log = (body: object) =>
    server.visitor.logConsent({
      token,
      body: { session_id: randomUUID(), decision: 'save_preferences', bundle_hash, ...body } as never,
    });
  const compact = async (body: object): Promise<Vendors> => {
    const { consent_id } = await server.visitor.recordVisitorConsent({
      token,
      body: {
        ...{ event_id: randomUUID(), session_id: randomUUID(), decision: 'save_preferences' as const },
        ...{ bundle_hash, allowed: [] },
        ...body,
      },
    });
    return (await client.getConsent({ token, consent_id })).vendors;
  };
  return { ...site, bundle_hash, log, compact };
}

test('all vendors are allowed by accepting all and refused by rejecting all, whatever is sent', async () => {
  const { log, compact } = await publish();
  expect((await log({ decision: 'accept_all' })).vendors).toEqual({ 755: true, 1201: true });
  expect((await log({ decision: 'reject_all', vendors: { 755: true } })).vendors).toEqual({
    ...{ 755: false, 1201: false },
  });
  expect(await compact({ decision: 'accept_all', allowed_vendors: [] })).toEqual({ 755: true, 1201: true });
});

test('a vendor that is left out is as all of its categories are', async () => {
  const { log, compact } = await publish();
  const vendorsOf = async (categories: object, vendors?: object) =>
    (await log({ categories, ...(vendors && { vendors }) })).vendors;
  expect(await vendorsOf({ marketing: true })).toEqual({ 755: false, 1201: true });
  expect(await vendorsOf({ marketing: true, analytics: true })).toEqual({ 755: true, 1201: true });
  expect(await vendorsOf({ marketing: true }, { 1201: false })).toEqual({ 755: false, 1201: false });
  expect(await vendorsOf({ marketing: false }, {})).toEqual({ 755: false, 1201: false });
  expect(await compact({ allowed: ['marketing'] })).toEqual({ 755: false, 1201: true });
});

test('a vendor may differ from its categories in both directions', async () => {
  const { log } = await publish();
  const { categories, vendors } = await log({
    categories: { marketing: false, analytics: true },
    vendors: { 755: true, 1201: true },
  });
  expect(categories).toMatchObject({ marketing: false, analytics: true });
  expect(vendors).toEqual({ 755: true, 1201: true });
});

test('in the compact form vendors that are not named are refused, and those that were not asked about left out', async () => {
  const { compact } = await publish();
  expect(await compact({ allowed: ['marketing'], allowed_vendors: [755, 12, 99] })).toEqual({
    ...{ 755: true, 1201: false },
  });
  expect(await compact({ allowed: ['marketing'], allowed_vendors: [] })).toEqual({ 755: false, 1201: false });
});

test('a vendor that the banner did not ask about is an error that names it', async () => {
  const { log, token, bundle_hash } = await publish();
  const vendors = { 755: true, 12: true, 99: false };
  const refused = await refusal(log({ categories: {}, vendors }));
  expect([refused.status, pathsOf(refused)]).toEqual([400, ['body.vendors.12', 'body.vendors.99']]);
  const saved = await refusal(
    server.visitor.savePreferences({
      token,
      body: { session_id: randomUUID(), categories: {}, vendors: { 99: true }, bundle_hash },
    }),
  );
  expect(pathsOf(saved)).toEqual(['body.vendors.99']);
});

test('keys are numbers of vendors', async () => {
  const { log } = await publish();
  for (const key of ['0', '01', '-1', 'a', '1.5', '99999999999', '__proto__x']) {
    const refused = await refusal(log({ categories: {}, vendors: { [key]: true } }));
    expect(refused.status).toBe(400);
  }
  const refused = await refusal(
    log({ categories: {}, bundle_hash: undefined, vendors: { 2147483648: true } }),
  );
  expect(pathsOf(refused)).toEqual(['body.vendors.2147483648']);
});

test('a site, or a banner, that asks by category alone takes no vendors from programs', async () => {
  const off = await publish({});
  const named = await refusal(off.log({ categories: {}, vendors: { 755: true } }));
  expect(named.errors).toMatchObject([{ path: 'body.vendors', code: 'not_by_vendor' }]);
  const unnamed = await refusal(off.log({ categories: {}, vendors: { 755: true }, bundle_hash: undefined }));
  expect(unnamed.errors[0]?.message).toContain('settings.choice_by_vendor');
  expect((await off.log({ decision: 'accept_all' })).vendors).toBeUndefined();
  expect(await off.compact({ allowed_vendors: [755] })).toBeUndefined();
  expect(await off.compact({ allowed_vendors: [755], bundle_hash: INVENTED })).toBeUndefined();
});

test('without a banner of the site what was sent is recorded, and nothing is derived', async () => {
  const { log, compact } = await publish();
  for (const bundle_hash of [undefined, INVENTED]) {
    const stated = { categories: { marketing: true }, bundle_hash };
    expect((await log({ ...stated, vendors: { 99: true } })).vendors).toEqual({ 99: true });
    expect((await log(stated)).vendors).toBeUndefined();
    expect((await log({ decision: 'accept_all', bundle_hash })).vendors).toBeUndefined();
  }
  expect(await compact({ bundle_hash: INVENTED, allowed_vendors: [99] })).toEqual({ 99: true });
  expect(await compact({ bundle_hash: undefined, allowed_vendors: [99], refused_vendors: [98, 97] })).toEqual(
    {
      97: false,
      98: false,
      99: true,
    },
  );
  // A banner that is known says itself who was refused.
  expect(await compact({ allowed_vendors: [755], refused_vendors: [98] })).toEqual({
    755: true,
    1201: false,
  });
});

test('a decision is about what its own banner asked, also when the site asks something else since', async () => {
  const { client, token, log, compact } = await publish();
  await client.replaceVendors({
    token,
    body: { vendors: [{ ...vendor(7, 'New'), categories: ['marketing'] }] },
  });
  const newer = await client.generateBundle({ token });
  const all = { decision: 'accept_all' };
  expect((await log(all)).vendors).toEqual({ 755: true, 1201: true });
  expect((await log({ ...all, bundle_hash: newer.hash })).vendors).toEqual({ 7: true });
  await client.updateEnvironment({ token, body: { settings: { choice_by_vendor: false } } });
  const { hash } = await client.generateBundle({ token });
  expect(await compact({ allowed_vendors: [755] })).toEqual({ 755: true, 1201: false });
  await until('the site asks by category', async () => {
    return (await log({ ...all, bundle_hash: hash })).vendors === undefined;
  });
});

test('a bundle that is older than those that a site’s row names is known, too', async () => {
  const { token, log } = await publish();
  await server.service.context.db('environments').where({ token }).update({ bundles: '[]' });
  server.service.context.sites.forget(token);
  expect((await log({ decision: 'accept_all' })).vendors).toEqual({ 755: true, 1201: true });
});

test('a program of the owner decides for a visitor by the same rules', async () => {
  const { client, token, bundle_hash } = await publish();
  const { vendors } = await client.logConsentForVisitor({
    token,
    body: {
      ...{ session_id: randomUUID(), decision: 'save_preferences', bundle_hash },
      ...{ categories: { marketing: true }, vendors: { 755: true } },
      visitor: { address: '203.0.113.9' },
    },
  });
  expect(vendors).toEqual({ 755: true, 1201: true });
});

test('loading content once is counted by its category', async () => {
  const { client, token } = await publish();
  const at = new Date().toISOString();
  await server.visitor.recordVisitorEvents({
    token,
    body: {
      session_id: randomUUID(),
      events: [{ name: 'content_loaded_once', at, category: 'marketing' }],
    },
  });
  const { interactions } = await client.getAnalytics({ token });
  expect(interactions).toEqual([{ name: 'content_loaded_once', category: 'marketing', count: 1 }]);
});
