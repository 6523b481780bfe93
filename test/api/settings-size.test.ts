import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BannerTexts } from '@avow/sdk';
import { seenOf } from '../../server/src/domain/banner/sources';
import { PROGRAM } from '../helpers/banner/program';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ program: PROGRAM });
const db = (table: string) => server.service.context.db(table);
const idOf = async (token: string): Promise<string> =>
  (await db('environments').where({ token }).first('id')).id;

/** Text that compresses as badly as any. */
const noise = (length: number): string => {
  let text = '';
  while (text.length < length) text += randomUUID();
  return text.slice(0, length);
};
const activity = (n: number, length: number) => ({
  name: `Activity ${n}`,
  purposes: [noise(200), noise(200)],
  lawful_basis: 'contract' as const,
  subject_categories: ['Customers'],
  data_categories: ['Names', 'Addresses'],
  recipients: [noise(100)],
  retention: noise(length),
});
const activities = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => activity(n, length));

/** The built-in texts as a site's own, in every language, with longer descriptions and six categories. */
function everyLanguage() {
  const folder = join(__dirname, '..', '..', 'sdk', 'banner', 'texts');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const keys = ['necessary', 'functional', 'analytics', 'marketing', 'video', 'maps'];
  const categories = keys.map((key) => ({
    key,
    name: key,
    description: noise(200),
    required: key === 'necessary',
  }));
  const described = () =>
    Object.fromEntries(keys.map((key) => [key, { name: noise(20), description: noise(250) }]));
  const texts: Record<string, object> = {};
  for (const name of files) {
    const builtIn = JSON.parse(readFileSync(join(folder, name), 'utf8')) as BannerTexts;
    texts[name.slice(0, -5)] = { ...builtIn, description: noise(1_000), categories: described() };
  }
  return { categories, texts, languages: Object.keys(texts) };
}

async function largeSite() {
  const site = await server.site();
  const { client, token } = site;
  const { settings } = await client.getEnvironment({ token });
  const { texts, ...rest } = everyLanguage();
  const large = {
    ...rest,
    banner: { ...settings.banner, texts },
    processing_activities: activities(100, 500),
  };
  const change = (patch: object) => client.updateEnvironment({ token, body: { settings: patch } });
  const changed = await change(large);
  return { ...site, change, settings: changed.settings, id: await idOf(token) };
}

/** Bytes that the database holds of a site's settings versions, compressed as they are. */
async function bytesOf(environment_id: string): Promise<number> {
  const sum = async (table: string): Promise<number> => {
    const rows = await db(table)
      .where({ environment_id })
      .select(server.service.context.db.raw(`pg_column_size(${table}.*) AS n`));
    return rows.reduce((total, { n }) => total + n, 0);
  };
  return (await sum('settings_versions')) + (await sum('settings_parts'));
}

test('a site with all languages, texts of its own and a hundred activities has room left', async () => {
  const { settings } = await largeSite();
  expect(settings.languages.length).toBeGreaterThanOrEqual(33);
  expect(Buffer.byteLength(JSON.stringify(settings))).toBeLessThan(320 * 1024);
});

test('settings beyond 512 KiB are refused, by one change and by many, in words that name what is large', async () => {
  const { client, token, change, settings } = await largeSite();
  const error = await refusal(change({ processing_activities: activities(200, 2_000) }));
  expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
    400,
    ['body.settings'],
    'too_large',
  ]);
  expect(error.errors[0]?.message).toMatch(
    /^would be \d+ KiB of JSON .* may be 512: processing_activities has \d+, banner\.texts has \d+; shorten/,
  );
  expect((await client.getEnvironment({ token })).settings).toEqual(settings);
  const preview = client.previewBundle({
    token,
    body: { settings: { processing_activities: activities(200, 2_000) } },
  });
  expect((await refusal(preview)).errors[0]?.code).toBe('too_large');
  const body = { name: 'Shop', domain: 'large.example.com' };
  const made = client.createEnvironment({
    body: { ...body, settings: { processing_activities: activities(200, 2_000) } },
  });
  expect(pathsOf(await refusal(made))).toEqual(['body.settings']);
});

test('a small change of large settings costs little, and every version stays whole', async () => {
  const { client, token, change, settings, id } = await largeSite();
  const first = await bytesOf(id);
  const sessions = [];
  for (let n = 0; n < 20; n += 1) {
    await change({ policy_version: `q${n}` });
    const body = { session_id: randomUUID(), decision: 'accept_all' as const, banner_version: n + 3 };
    sessions.push(await server.visitor.logConsent({ token, body }));
  }
  expect(((await bytesOf(id)) - first) / 20).toBeLessThan(2_048);
  for (const [n, { consent_id }] of sessions.entries()) {
    const { shown } = await client.getConsent({ token, consent_id });
    expect(shown).toMatchObject({ version: n + 3 });
    expect(shown.settings).toEqual({ ...seenOf(settings), policy_version: `q${n}` });
  }
});

test('one text of one language costs about that language', async () => {
  const { change, settings, id } = await largeSite();
  const first = await bytesOf(id);
  const texts = { ...settings.banner.texts, de: { ...settings.banner.texts.de, title: 'Neu' } };
  const after = await change({ banner: { ...settings.banner, texts } });
  expect(after.settings.banner.texts).toEqual(texts);
  expect((await bytesOf(id)) - first).toBeLessThan(12_000);
});

test('a version that an older server stored whole reads the same, and outdates no bundle', async () => {
  const { client, token, change, settings, id } = await largeSite();
  await db('settings_versions')
    .where({ environment_id: id, version: 2 })
    .update({ settings: JSON.stringify(settings) });
  const body = { session_id: randomUUID(), decision: 'accept_all' as const, banner_version: 2 };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  expect((await client.getConsent({ token, consent_id })).shown.settings).toEqual(seenOf(settings));
  await client.generateBundle({ token });
  await change({ security_measures: ['Locked door'] });
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).not.toContain('bundle_outdated');
  await change({ policy_version: '2' });
  expect(await codes()).toContain('bundle_outdated');
});

test('evidence that lacks a part is an error, never half of it', async () => {
  const { client, token, id } = await largeSite();
  const body = { session_id: randomUUID(), decision: 'accept_all' as const };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  await db('settings_parts').where({ environment_id: id }).delete();
  expect((await refusal(client.getConsent({ token, consent_id }))).status).toBe(500);
});
