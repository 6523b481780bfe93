import { createAvow } from '@avow/sdk';
import { textsIn } from '../../server/src/domain/banner/texts';
import { mailTexts } from '../../server/src/domain/mail/texts';
import { declarationOf } from '../../server/src/domain/public-pages/declaration';
import { declarationHtml } from '../../server/src/domain/public-pages/declaration-html';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Vendor } from '../../server/src/domain/types';
import { startServer, type TestServer } from '../helpers/server';
import { vendor } from '../helpers/site/vendors';

let limited: TestServer;
beforeAll(async () => {
  limited = await startServer({ variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
});
afterAll(() => limited?.stop());

test('declarations made anew are limited by address and size, over all sites; kept ones are not', async () => {
  const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'cs', 'da', 'fi', 'sv', 'sk', 'sl'];
  const { client, token } = await limited.site({ languages });
  const cookies = Array.from({ length: 400 }, (_, at) => ({
    ...{ name: `${'<'.repeat(190)}${at}`, category: 'analytics', max_age_seconds: 60 },
    description: '&'.repeat(1_000),
  }));
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'A', { cookies })] } });
  const ask = async (lang: string, address: string, kind = 'cookies/fragment') =>
    (
      await fetch(`${limited.url}/pages/${token}/${kind}?lang=${lang}`, {
        headers: { 'X-Forwarded-For': address },
      })
    ).status;
  let made = 0;
  while (made < languages.length && (await ask(languages[made] as string, '203.0.113.20')) === 200) made += 1;
  const json = await fetch(`${limited.url}/api/public/cookie-declaration/${token}`, {
    headers: { 'X-Forwarded-For': '203.0.113.20' },
  });
  expect([json.status, Number(json.headers.get('retry-after')) > 0]).toEqual([429, true]);
  // Two mebibytes are five hundred requests of the three thousand of a minute; a second one may have begun.
  expect(made).toBeLessThan(13);
  const last = languages[made] as string;
  expect(await ask('en', '203.0.113.20')).toBe(200);
  expect(await ask(last, '203.0.113.21')).toBe(200);
  expect(await ask(last, '203.0.113.20')).toBe(200);
  expect(await ask(last, '203.0.113.20', 'request')).toBe(200);
});

test('the form has the limit of the operation, together with it', async () => {
  const { token } = await limited.site();
  const asked = { request_type: 'access', email: 'a@visitor.example' } as const;
  const from = { 'X-Forwarded-For': '203.0.113.9', 'Accept-Language': 'fr' };
  const client = createAvow({ baseUrl: limited.url, retries: 0 });
  const states: number[] = [];
  // More than two windows of a minute allow.
  for (let n = 0; n < 22 && !states.includes(429); n += 1) {
    await client.submitDsar({ token, body: asked }, { headers: from }).catch(() => undefined);
    const body = new URLSearchParams({ form: 'x' });
    const answer = await fetch(`${limited.url}/pages/${token}/request`, {
      ...{ method: 'POST', headers: from, body },
    });
    states.push(answer.status);
    if (answer.status === 429) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(states).toContain(429);
  expect(states.length).toBeLessThan(12);
  // Reading the form, and other people, are limited apart.
  const page = await fetch(`${limited.url}/pages/${token}/request`, { headers: from });
  expect(page.status).toBe(200);
});

test('a long declaration is made in pieces, between which other requests are answered', () => {
  const { program } = limited.service.context;
  const settings = defaultSettings();
  const cookies = Array.from({ length: 500 }, (_, at) => ({
    ...{ name: `c${at}`, category: 'analytics', max_age_seconds: 60 },
  }));
  const steps = <Made>(task: Generator<unknown, Made>): [number, Made] => {
    for (let count = 0; ; count += 1) {
      const step = task.next();
      if (step.done) return [count, step.value];
    }
  };
  const [listed, declaration] = steps(
    declarationOf({
      ...{ token: 'env_x', language: 'en', settings, program, hasBanner: true, updatedAt: new Date() },
      vendors: { version: 1, vendors: [vendor(1, 'A', { cookies })] as unknown as Vendor[] },
      ...{ scan: undefined, ofPages: [['own', 'functional']] },
    }),
  );
  expect(declaration.other_cookies.map(({ name }) => name)).toEqual(['avow:env_x', 'own']);
  const { texts } = textsIn('en', settings, program);
  const words = {
    language: 'en',
    rtl: false,
    pages: mailTexts('en').texts.pages,
    banner: texts,
    day: 'today',
  };
  const [written, html] = steps(declarationHtml(declaration, words));
  expect(html).toContain('c499');
  expect([listed, written].every((count) => count >= 500)).toBe(true);
});

test('pages that are asked for at once share a read, and none shows what was changed before it was asked for', async () => {
  const { client, token } = await limited.site();
  const { pageSources, sites, visitorDb } = limited.service.context;
  const site = (await sites.find(token)) as NonNullable<Awaited<ReturnType<typeof sites.find>>>;
  let reads = 0;
  visitorDb.on('query', () => {
    reads += 1;
  });
  await pageSources.find(site);
  const ofOne = reads;
  const first = pageSources.find(site);
  const all = Array.from({ length: 100 }, () => pageSources.find(site));
  await client.updateEnvironment({ token, body: { name: 'Another name' } });
  const later = await pageSources.find(site);
  expect(later.name).toBe('Another name');
  await Promise.all([first, ...all]);
  expect(ofOne).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(4 * ofOne);
});
