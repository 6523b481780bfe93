import type { BundleTexts } from '../../server/src/domain/types';
import { PROGRAM, textsOf } from '../helpers/banner/program';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { ASKED, ASKED_LIST, vendor } from '../helpers/site/vendors';

jest.setTimeout(60_000);
const texts: Record<string, BundleTexts> = { en: { ...textsOf('en'), load_once: 'en load_once' } };
const server = useServer({ program: { ...PROGRAM, texts } });
const ON = { choice_by_vendor: true };

async function siteOf(settings: object = ON) {
  const site = await server.site(settings);
  await site.client.replaceVendors({ token: site.token, body: { vendors: ASKED_LIST } });
  return site;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...vendor(at + 1, `Vendor ${at}`),
    categories: ['marketing'],
  }));

test('a bundle asks about the vendors with an optional category, by their numbers, and gets its own program', async () => {
  const { client, token } = await siteOf();
  const { hash, url } = await client.generateBundle({ token });
  const { config } = await client.getBundleRecord({ token, hash });
  expect(config.asked_vendors).toEqual(ASKED);
  expect(config.vendors).toBe(ASKED_LIST.length);
  expect(await (await fetch(url)).text()).toContain('byVendor:true');
  const preview = await client.previewBundle({ token });
  expect(preview.config.asked_vendors).toEqual(ASKED);
});

test('bundles of sites that ask by category alone stay as they were', async () => {
  const { client, token } = await siteOf({});
  const before = await client.generateBundle({ token });
  const { config } = await client.getBundleRecord({ token, hash: before.hash });
  expect('asked_vendors' in config).toBe(false);
  await client.updateEnvironment({ token, body: { settings: { choice_by_vendor: false } } });
  const off = await client.previewBundle({ token });
  expect('asked_vendors' in off.config).toBe(false);
  expect(off.script).not.toContain('byVendor');
  const on = await client.previewBundle({ token, body: { settings: ON } });
  expect(on.config.asked_vendors).toEqual(ASKED);
});

test('a site without vendors that need consent asks about none', async () => {
  const { client, token } = await server.site(ON);
  const { config } = await client.previewBundle({ token });
  expect(config.asked_vendors).toEqual([]);
});

test('a vendor that becomes required, or leaves the list, is no longer asked about', async () => {
  const { client, token } = await siteOf();
  const { settings } = await client.getEnvironment({ token });
  const categories = settings.categories.map((one) => ({
    ...one,
    required: one.required || one.key === 'marketing',
  }));
  const { config } = await client.previewBundle({ token, body: { settings: { categories } } });
  expect(config.asked_vendors).toEqual([{ ...ASKED[0], categories: ['analytics'] }]);
});

test('a banner asks about 200 vendors at most', async () => {
  const { client, token } = await server.site(ON);
  await client.replaceVendors({ token, body: { vendors: many(200) } });
  const { config } = await client.previewBundle({ token });
  expect(config.asked_vendors).toHaveLength(200);
  await client.replaceVendors({ token, body: { vendors: many(201) } });
  for (const refused of [client.previewBundle({ token }), client.generateBundle({ token })]) {
    const { status, errors } = await refusal(refused);
    expect([status, errors[0]?.path, errors[0]?.code]).toEqual([
      400,
      'body.settings.choice_by_vendor',
      'too_many_vendors',
    ]);
    expect(errors[0]?.message).toContain('201 vendors');
  }
  const { config: byCategory } = await client.previewBundle({
    token,
    body: { settings: { choice_by_vendor: false } },
  });
  expect(byCategory.vendors).toBe(201);
});

test('names and categories of asked vendors have a length that a look-up can read', async () => {
  const { client, token } = await server.site(ON);
  const vendors = many(200).map((one, n) => ({ ...one, name: `${'N'.repeat(190)} ${n}` }));
  await client.replaceVendors({ token, body: { vendors } });
  const { status, errors } = await refusal(client.generateBundle({ token }));
  expect([status, errors[0]?.code]).toEqual([400, 'too_many_vendors']);
  expect(errors[0]?.message).toContain('longer than 40000 characters');
});

test('it is not together with IAB Europe’s framework, which asks about vendors itself', async () => {
  const server = await siteOf();
  const tcf = { publisher_country: 'DE' };
  const { status, errors } = await refusal(
    server.client.previewBundle({ token: server.token, body: { settings: { tcf } } }),
  );
  expect([status, errors.map(({ path }) => path)]).toEqual([400, ['body.settings.choice_by_vendor']]);
});

test('switching it on outdates the published bundle, and so does a new list', async () => {
  const { client, token } = await siteOf({});
  await client.generateBundle({ token });
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).not.toContain('bundle_outdated');
  await client.updateEnvironment({ token, body: { settings: ON } });
  expect(await codes()).toContain('bundle_outdated');
  await client.generateBundle({ token });
  expect(await codes()).not.toContain('bundle_outdated');
});

test('only its bundles have the texts of placeholders that name a vendor, the owner’s ahead of others', async () => {
  const { client, token } = await siteOf();
  const { settings } = await client.getEnvironment({ token });
  const banner = { ...settings.banner, texts: { en: { load_once: 'Just now' } } };
  const builtIn = await client.previewBundle({ token });
  expect(builtIn.config.texts.en?.load_once).toBe('en load_once');
  const on = await client.previewBundle({ token, body: { settings: { banner } } });
  const off = await client.previewBundle({ token, body: { settings: { banner, choice_by_vendor: false } } });
  expect(on.config.texts.en?.load_once).toBe('Just now');
  expect(off.config.texts.en).not.toHaveProperty('load_once');
});
