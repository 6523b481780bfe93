import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Report } from '../../sdk/banner/src/debug/report';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(120_000);

const load = (
  url: string,
  verdict: Report['loads'][0]['verdict'],
  more: object = {},
): Report['loads'][0] => ({
  ...{ ms: 12.3, kind: 'script', url, categories: ['analytics'], by: 'known', verdict },
  ...more,
});

const REPORT: Report = {
  kind: 'avow-diagnostics',
  version: 1,
  made_at: '2026-11-28T12:00:00.000Z',
  page: 'https://shop.example.com/books',
  banner: {
    ...{ state: 'running', site: null, bundle: 'a'.repeat(24), settings_version: 3, policy_version: '1' },
    ...{ auto_blocking: true, problem: null },
  },
  now: { gpc: false, region: null, rule: null, kept: ['local_storage'] },
  states: [
    { ms: 0, earlier: false, decision: null, method: null, rule: null, categories: { necessary: true } },
    {
      ...{ ms: 900, earlier: false, decision: 'accept_all', method: 'banner', rule: null },
      categories: { necessary: true, analytics: true },
    },
  ],
  loads: [
    load('https://www.google-analytics.com/analytics.js', 'before', { name: 'Google Analytics' }),
    load('https://cdn.example/after.js', 'allowed', { ms: 950 }),
  ],
  held: [{ kind: 'img', url: 'https://ads.example/pixel', categories: ['marketing'], by: 'rule' }],
  layer: [{ n: 1, what: 'consent default', more: { ad_storage: 'denied' } }],
  signals: [{ to: 'Microsoft Clarity', what: 'consentv2 ad_Storage denied' }],
  cut: ['Entries of the data layer after the first 5000'],
};

/** As a paste: typing it would take long. */
const paste = (page: Page, text: string) => page.getByRole('textbox', { name: 'Report' }).fill(text);

describeInBrowser('diagnostics', () => {
  const kit = useConsole();

  test('shows the line for this site’s pages, and what a pasted report says, without sending it', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    // As the snippet of the site has it, which may be another name than the console's.
    const { items } = await owner.client.listDomains({ token: owner.token });
    const line = `import('${new URL(items[0]?.script_url ?? '').origin}/debug.js').then(() => avowDebug())`;
    await page.getByText(line, { exact: true }).waitFor();
    await page.getByText(`javascript:void ${line}`, { exact: true }).waitFor();
    await page.getByText('No scan is there.').waitFor();
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
    );
    await paste(page, JSON.stringify(REPORT));
    await page.getByText('1 loaded before consent').waitFor();
    await page.getByText('Entries of the data layer after the first 5000', { exact: true }).waitFor();
    const first = page.getByRole('row', { name: /google-analytics/ });
    expect(await first.innerText()).toMatch(/Google Analytics[\s\S]*Loaded before consent/);
    expect(await page.getByRole('row', { name: /after\.js/ }).innerText()).toContain('Allowed');
    await page.getByRole('row', { name: /ads\.example\/pixel/ }).waitFor();
    await page.getByRole('row', { name: /consent default.*ad_storage denied/ }).waitFor();
    await page.getByText('accept_all, method banner').first().waitFor();
    // The console may still load its own dialogs and lists: those ask, and carry nothing of the report.
    expect(
      sent.filter(
        (request) => !request.startsWith('GET ') || /google-analytics|ads\.example|accept_all/.test(request),
      ),
    ).toEqual([]);
    await kit.look(page, 'diagnostics');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByText('1 loaded before consent').count()).toBe(0);
  });

  test('says that all is well only where there was something to judge', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    const good = { ...REPORT, loads: REPORT.loads.slice(1), cut: [] };
    const well = page.getByText('Nothing was loaded without consent');
    await paste(page, JSON.stringify(good));
    await well.waitFor();
    const { banner } = REPORT;
    for (const less of [
      { loads: [] },
      { banner: { ...banner, bundle: null } },
      { banner: { ...banner, state: 'missing' } },
      { banner: { ...banner, state: 'waiting' } },
    ]) {
      await paste(page, JSON.stringify({ ...good, ...less }));
      await page.getByText('Nothing found').waitFor();
      expect(await well.count()).toBe(0);
      await paste(page, JSON.stringify(good));
      await well.waitFor();
    }
  });

  test('says that a report is of another site', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    await paste(page, JSON.stringify({ ...REPORT, banner: { ...REPORT.banner, site: owner.token } }));
    await page.getByText('1 loaded before consent').waitFor();
    expect(await page.getByText('The report is of another site').count()).toBe(0);
    const site = 'env_0000000000000000000000';
    await paste(page, JSON.stringify({ ...REPORT, banner: { ...REPORT.banner, site } }));
    await page.getByText('The report is of another site').waitFor();
  });

  test.each([
    ['no JSON', '{"kind":', 'It cannot be read'],
    ['a list', '[1]', 'It is no report'],
    ['another file', '{"kind":"other"}', 'It is no report'],
    ['another version', '{"kind":"avow-diagnostics","version":2}', 'It is of another version of Avow'],
    ['what nests deeply', '['.repeat(200_000), 'It cannot be read'],
    ['too much', `"${'x'.repeat(5_000_001)}"`, 'It is longer than any report'],
  ])('refuses what is none: %s', async (_, text, reason) => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    await paste(page, text);
    await page.getByRole('alert').getByText(reason).waitFor();
  });

  test('a hostile report runs nothing, breaks nothing, and is bounded', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    const script = '<img src=x onerror="window.bad=1"><script>window.bad=1</script>';
    const hostile = {
      ...{ kind: 'avow-diagnostics', version: 1, made_at: script, page: `javascript:${script}` },
      ...{ banner: { state: script, site: [script], settings_version: script }, now: 7 },
      states: [null, 5, { ms: 'x', categories: { [script]: true, __proto__: { toString: 1 } } }],
      loads: [
        ...[null, 'x', { url: script, verdict: '__proto__', by: 'constructor', categories: script }],
        ...Array.from({ length: 8_000 }, (_unused, n) => ({
          ...{ ms: n, kind: script, url: `javascript:${'y'.repeat(400)}${n}`, verdict: 'allowed' },
        })),
      ],
      held: { length: 3 },
      layer: [{ n: {}, what: [], more: [script] }],
      signals: [{ to: script, what: 'z'.repeat(20_000) }],
      cut: Array.from({ length: 100 }, () => script),
    };
    // Also what JSON.stringify would leave out.
    await paste(page, JSON.stringify(hostile).replace('"now":7', '"now":7,"__proto__":{"version":2}'));
    await page.getByRole('heading', { name: 'What the report says' }).waitFor();
    expect(await page.evaluate(() => 'bad' in window)).toBe(false);
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
    const table = page.getByRole('table', { name: 'What was loaded, under which state' });
    expect(await table.getByRole('row').count()).toBe(501);
    // 5,000 of the list, and three states.
    await page.getByText('4503 more are not shown.').waitFor();
    expect((await page.locator('main').innerText()).length).toBeLessThan(600_000);
    await paste(page, JSON.stringify(REPORT));
    await page.getByText('1 loaded before consent').waitFor();
  });

  test('has what the last scan saw before consent, by category', async () => {
    const owner = await kit.server.site();
    const { db } = kit.server.service.context;
    const [environment] = await db('environments').where({ token: owner.token }).select('id');
    const host = (name: string, category: string, before_consent: boolean) => ({
      ...{ host: name, category, before_consent },
    });
    const at = new Date();
    await db('cookie_scans').insert({
      ...{ scan_id: randomUUID(), environment_id: environment.id, domain: 'shop.example.com' },
      ...{ url: 'https://shop.example.com/books', state: 'done', engine: 'browser', runs: 1 },
      ...{ created_at: at, started_at: at, finished_at: at },
      result: JSON.stringify({
        ...{ cookies: [], stored_items: [], findings: [], banner_detected: true },
        requests: [
          host('one.example', 'analytics', true),
          host('two.example', 'analytics', true),
          host('three.example', 'marketing', false),
        ],
      }),
    });
    const page = await kit.open(`/sites/${owner.token}/diagnostics`, { as: owner });
    const table = page.getByRole('table', { name: 'Before consent, by category' });
    await table.waitFor();
    expect((await table.getByRole('row').allInnerTexts()).map((row) => row.split(/\s+/))).toEqual([
      expect.anything(),
      ['Analytics', '2', '0'],
    ]);
    await kit.look(page, 'diagnostics-scan');
    await page.getByRole('link', { name: 'https://shop.example.com/books' }).click();
    await page.getByRole('heading', { name: 'Cookie scan', exact: true }).waitFor();
  });
});
