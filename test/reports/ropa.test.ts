import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { type Client, useServer } from '../helpers/server';
import { readCsv, readSheet, unzip } from './read-xlsx';

const FORMULAS = [
  ...['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(1+1)', '\t=1+1', '\r=1+1', '\n=1+1'],
  ...[
    '  =1+1',
    '\u00a0=1+1',
    '\u3000+1',
    '\u200b@x',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    'fine;=1+1',
    'fine; \n-1',
  ],
];
const MARKUP = `<script>alert('x')</script><img src=x onerror="alert(1)"> & "quoted"`;
/** What a spreadsheet would run: the start of a cell, however it is cut at semicolons and lines. */
const DANGEROUS = /^[\s\u200b]*[=+\-@＝＋－＠]/;

const CONTROLLER = {
  name: 'Shop Ltd <b>',
  address: 'Quay 1, 20457 Hamburg',
  email: 'privacy@shop.example.com',
  phone: '+49 40 1234',
  representative: '=EU Rep',
  dpo: { name: '@Dora', email: 'dora@shop.example.com' },
};
const ACTIVITIES = [
  {
    name: 'Newsletter',
    purposes: ['Sending news', 'Counting readers'],
    lawful_basis: 'consent',
    subject_categories: ['subscribers'],
    data_categories: ['e-mail address'],
    recipients: ['Mailer Inc'],
    transfers: 'US: standard contractual clauses',
    retention: 'until withdrawn',
    last_review: '2026-10-01T00:00:00.000Z',
  },
  {
    name: MARKUP,
    purposes: ['a \u0001 control sign', 'emoji 🍪', '</t></si>'],
    lawful_basis: 'legal_obligation',
    subject_categories: [],
    data_categories: [],
    recipients: [],
  },
  ...FORMULAS.map((text) => ({
    name: text,
    purposes: [text, 'harmless', text],
    lawful_basis: 'contract',
    subject_categories: [text],
    data_categories: [text],
    recipients: [text],
    transfers: text,
    retention: text,
  })),
];
const VENDORS = [
  {
    id: 1,
    name: '=Counter',
    purposes: [8],
    leg_int_purposes: [],
    categories: ['analytics'],
    urls: [],
    cookies: [],
    data_retention_days: 90,
    country: 'US',
    transfer_safeguard: '+SCC',
  },
];

let client: Client;
let token: string;
let bearer: string;

const server = useServer({ variables: { ROLE: 'api' } });
beforeAll(async () => {
  const owner = await server.site({
    controller: CONTROLLER,
    security_measures: ['-encryption', 'access control'],
    processing_activities: ACTIVITIES,
  });
  ({ client, token } = owner);
  bearer = (await server.service.context.tokens.issue(owner.userId)).token;
  await client.replaceVendors({ token, body: { vendors: VENDORS } });
  const form = {
    form_id: 'newsletter',
    form_url: 'https://shop.example.com/',
    subject: { external_id: 'x' },
  };
  const statements = [{ key: 'news', text: 'Send me news', accepted: true }];
  await client.recordFormConsentForVisitor({
    token,
    body: { ...form, statements, visitor: { address: '203.0.113.9' } },
  });
  await server.visitor.recordFormConsent({ token, body: { ...form, form_id: 'raffle', statements } });
  await server.visitor.submitDsar({ token, body: { request_type: 'access', email: 'jane@example.com' } });
  await client.createBreach({
    token,
    body: {
      title: 'Lost laptop',
      nature: 'loss',
      description: 'A laptop was lost.',
      severity: 'low',
      aware_at: new Date().toISOString(),
      data_categories: [],
      subject_categories: [],
      consequences: 'none',
      measures: 'wiped',
    },
  });
});

type Owned = { client: Client; token: string };
const download = async (
  format: 'json' | 'csv' | 'xlsx' | 'html',
  of: Owned = { client, token },
): Promise<Response> => (await of.client.exportRopa({ token: of.token, format })) as unknown as Response;
interface Entry {
  data_categories: string[];
  source: string;
  name: string;
  purposes: string[];
  lawful_basis: string;
  recipients: string[];
  transfers: string;
  retention: string;
  consent_records: string | null;
  breach_register: string | null;
  last_review: string | null;
}
const readJson = async (of?: Owned): Promise<{ entries: Entry[]; controller: object; site: string }> =>
  (await (await download('json', of)).json()).data;
const csvText = async (): Promise<string> =>
  Buffer.from(await (await download('csv')).arrayBuffer()).toString('utf8');
const workbook = async (): Promise<Buffer> => Buffer.from(await (await download('xlsx')).arrayBuffer());

test('the entries of the service name all data that it stores, and how long it keeps them', async () => {
  const { entries } = await readJson();
  const of = (name: string) => entries.find((entry) => entry.name === name);
  expect(of('Proof of consent')?.data_categories).toEqual(
    expect.arrayContaining(['page address', 'language']),
  );
  expect(of('Data-subject requests')?.data_categories).toContain('postal address or telephone number');
  expect(of('Register of personal-data breaches')?.retention).toMatch(/^kept for good/);
});

test("the owner's entries come first as they are, then what the service does for the site", async () => {
  const { entries, controller, site: name } = await readJson();
  expect({ controller, name }).toEqual({ controller: CONTROLLER, name: 'Example shop' });
  const own = entries.filter(({ source }) => source === 'owner');
  expect(entries.slice(0, own.length)).toEqual(own);
  expect(own).toHaveLength(ACTIVITIES.length);
  expect(own[0]).toEqual({
    ...ACTIVITIES[0],
    source: 'owner',
    security_measures: ['-encryption', 'access control'],
    consent_records: null,
    breach_register: null,
  });
  expect(own[1]).toMatchObject({ transfers: 'not recorded', retention: 'not recorded', last_review: null });
  const derived = entries.slice(own.length);
  expect(derived.map(({ name }) => name)).toEqual([
    'Cookies and similar technologies: Necessary',
    'Cookies and similar technologies: Functional',
    'Cookies and similar technologies: Analytics',
    'Cookies and similar technologies: Marketing',
    'Proof of consent',
    'Consents given in the form newsletter',
    'Consents given in other forms',
    'Data-subject requests',
    'Register of personal-data breaches',
  ]);
  const site = `${server.service.context.publicUrl()}/console/sites/${token}`;
  expect(derived[2]).toMatchObject({
    lawful_basis: 'consent',
    recipients: ['=Counter'],
    transfers: '=Counter (US): +SCC',
    retention: '=Counter: 90 days',
    consent_records: `${site}/consents`,
  });
  expect(derived[0]).toMatchObject({ lawful_basis: 'legitimate_interests', consent_records: null });
  expect(derived[5]?.consent_records).toBe(`${site}/consents/forms?form_id=newsletter`);
  expect(derived[6]?.consent_records).toBe(`${site}/consents/forms`);
  expect(derived[8]?.breach_register).toBe(`${site}/breaches`);
  expect(derived.filter(({ transfers }) => transfers === 'none')).toEqual([]);
  expect(derived[4]).toMatchObject({ transfers: 'not recorded' });
});

test('every entry has the fields of Art. 30(1)(a) to (g), and the additions', async () => {
  const [titles] = readSheet(await workbook()).rows;
  expect(titles).toEqual([
    ...['Activity', 'Source', 'Controller (a)', 'Representative (a)', 'Data-protection officer (a)'],
    ...['Purposes (b)', 'Lawful basis', 'Categories of data subjects (c)', 'Categories of data (c)'],
    ...['Recipients (d)', 'Transfers and safeguards (e)', 'Erasure (f)', 'Security measures (g)'],
    ...['Consent records', 'Breach register', 'Last review'],
  ]);
});

test('CSV and XLSX hold the same cells, and the entries of the JSON in their order', async () => {
  const { entries } = await readJson();
  const text = await csvText();
  expect(text.startsWith('\ufeff')).toBe(true);
  const csv = readCsv(text.slice(1));
  const { rows } = readSheet(await workbook());
  // A workbook cannot hold control signs, and XML makes one sign of a line's two.
  // Empty cells at the end of a row are not written.
  const titlesOf = (table: string[][]) => table[0] ?? [];
  const plain = (table: string[][]) =>
    table.map((row) =>
      titlesOf(table)
        .map((_, n) => row[n] ?? '')
        .map((cell) => cell.replace('\u0001', '').replace(/\r/g, '\n')),
    );
  expect(plain(rows)).toEqual(plain(csv));
  expect(csv).toHaveLength(entries.length + 1);
  const bare = (cell: string | undefined) => cell?.replaceAll("'", '');
  for (const [index, entry] of entries.entries()) {
    const row = csv[index + 1] ?? [];
    expect(bare(row[0])).toBe(bare(entry.name));
    expect(row[1]).toBe(entry.source);
    expect(bare(row[5])).toBe(bare(entry.purposes.join('; ')));
    expect(bare(row[9])).toBe(bare(entry.recipients.join('; ')) || 'not recorded');
    expect(bare(row[10])).toBe(bare(entry.transfers));
    expect(bare(row[11])).toBe(bare(entry.retention));
    expect(row.slice(13)).toEqual([
      entry.consent_records ?? '',
      entry.breach_register ?? '',
      entry.last_review ?? '',
    ]);
  }
});

test('what the article asks for and nobody recorded is said to be so, in every file', async () => {
  const { rows } = readSheet(await workbook());
  const [titles = [], ...entries] = readCsv((await csvText()).slice(1));
  expect(entries.length).toBeGreaterThan(10);
  const sections = (await (await download('html')).text()).split('<section>').slice(1);
  expect(sections).toHaveLength(entries.length);
  for (const [n, title] of titles.entries()) {
    if (!/\([a-g]\)$/.test(title)) continue;
    for (const table of [entries, rows.slice(1)])
      expect(table.filter((row) => (row[n] ?? '') === '')).toEqual([]);
    for (const [at, section] of sections.entries()) {
      const said = section.split(`<dt>${title}</dt><dd>`)[1]?.split('</dd>')[0];
      expect([title, said ?? '']).toEqual([title, expect.stringMatching(/\S/)]);
      if (entries[at]?.[n] === 'not recorded') expect([title, said]).toEqual([title, 'not recorded']);
    }
  }
  // The second of the owner's entries has no recipients and no transfers.
  expect(entries[1]?.slice(9, 12)).toEqual(['not recorded', 'not recorded', 'not recorded']);
  expect([...entries, ...rows].flat().filter((cell) => cell === 'none')).toEqual([]);
});

test('no cell of a file begins a formula, wherever a spreadsheet may cut it', async () => {
  const { rows, formulas } = readSheet(await workbook());
  expect(formulas).toBe(0);
  const text = await csvText();
  const cells = [...rows, ...readCsv(text.slice(1)), ...readCsv(text.slice(1), ';')].flat();
  expect(cells.length).toBeGreaterThan(500);
  for (const cell of cells) for (const piece of cell.split(/[;\r\n\t]/)) expect(piece).not.toMatch(DANGEROUS);
  // Harmless texts stay as they are.
  expect(rows.flat()).toContain('Sending news; Counting readers');
  expect(rows.flat()).toContain('US: standard contractual clauses');
});

test('a cell that no workbook can hold is cut, and says so', async () => {
  const name = (n: number) => `Vendor ${n} ${'x'.repeat(180)}`;
  const vendors = Array.from({ length: 400 }, (_, n) => ({ ...VENDORS[0], id: n + 1, name: name(n) }));
  const big = await server.site();
  await big.client.replaceVendors({ token: big.token, body: { vendors } as never });
  const file = (await big.client.exportRopa({ token: big.token, format: 'xlsx' })) as unknown as Response;
  const { rows } = readSheet(Buffer.from(await file.arrayBuffer()));
  const longest = Math.max(...rows.flat().map((cell) => cell.length));
  expect(longest).toBe(32_767);
  expect(rows.flat().find((cell) => cell.length === longest)).toMatch(/JSON export has the rest\)$/);
});

test('each format says what it is and what its file is called', async () => {
  const day = new Date().toISOString().slice(0, 10);
  for (const [format, type] of [
    ['csv', 'text/csv; charset=utf-8'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['html', 'text/html; charset=utf-8'],
  ] as const) {
    const { headers } = await download(format);
    expect(headers.get('content-type')).toBe(type);
    const where = format === 'html' ? 'inline' : 'attachment';
    expect(headers.get('content-disposition')).toBe(
      `${where}; filename="ropa-shop.example.com-${day}.${format}"`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('no-store');
  }
  const text = await (await download('html')).text();
  expect(text).not.toContain('<script>');
  expect(text).not.toMatch(/<[^>]*\son\w+=/);
});

describeInBrowser('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('the page can be read, printed and is accessible: %s, %i px', async (colorScheme, width) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      // The page lets no script run; what looks at it may.
      bypassCSP: true,
      extraHTTPHeaders: { Authorization: `Bearer ${bearer}` },
    });
    const page = await context.newPage();
    const asked: string[] = [];
    const said: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('dialog', (dialog) => said.push(dialog.message()));
    await page.goto(`${server.url}/api/cookies/${token}/ropa-export?format=html`);
    expect(await page.title()).toBe('Records of processing: Example shop');
    const { entries } = await readJson();
    const headings = await page.locator('section h2').allTextContents();
    expect(headings.map((text) => text.trim())).toEqual(entries.map(({ name }) => name.trim()));
    expect(await page.locator('section').nth(1).locator('h2').textContent()).toBe(MARKUP);
    expect(await page.locator('img, script, link, iframe').count()).toBe(0);
    const first = await page.locator('section').first().textContent();
    for (const text of ['Shop Ltd <b>, Quay 1', '=EU Rep', '@Dora, dora@shop.example.com', 'Mailer Inc'])
      expect(first).toContain(text);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ropa-${colorScheme}.png` });
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    await page.addScriptTag({ content: readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8') });
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    expect(said).toEqual([]);
    expect(asked.filter((path) => path !== '/favicon.ico')).toEqual([`/api/cookies/${token}/ropa-export`]);
    await context.close();
  });

  test('the evidence that it names opens in the same browser', async () => {
    const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${bearer}` } });
    const page = await context.newPage();
    for (const [name, title] of [
      ['consents/forms?form_id=newsletter', 'form-consents'],
      ['breaches', 'breaches'],
      ['consents', 'consents'],
    ] as const) {
      await page.goto(`${server.url}/api/cookies/${token}/ropa-export?format=html`);
      const asked = page.waitForRequest((request) =>
        request.url().includes(`/console/sites/${token}/${name}`),
      );
      await page.locator(`a[href$="/${name}"]`).first().click();
      await asked;
      await page.waitForURL(/\/console\//);
      expect([title, await page.title()]).toEqual([title, expect.stringContaining('Avow')]);
    }
    await context.close();
  });

  test('its policy lets nothing run and nothing be loaded', async () => {
    const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${bearer}` } });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${server.url}/api/cookies/${token}/ropa-export?format=html`);
    expect(await page.locator('section').count()).toBeGreaterThan(ACTIVITIES.length);
    expect(await page.locator('h1').evaluate('getComputedStyle(document.body).maxWidth')).toBe('960px');
    expect(asked).toEqual([`${server.url}/api/cookies/${token}/ropa-export?format=html`]);
    await context.close();
    const policy = (await download('html')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(policy).not.toContain('script-src');
  });

  test('a real parser reads every part of the workbook', async () => {
    const page = await browser.newPage();
    for (const [name, xml] of unzip(await workbook())) {
      const wrong = await page.evaluate((text: string) => {
        const { DOMParser: Parser } = globalThis as unknown as { DOMParser: new () => XmlParser };
        return new Parser().parseFromString(text, 'application/xml').querySelector('parsererror')
          ?.textContent;
      }, xml);
      expect([name, wrong ?? 'well-formed']).toEqual([name, 'well-formed']);
    }
    await page.close();
  });
});

interface XmlParser {
  parseFromString(
    text: string,
    type: string,
  ): { querySelector(name: string): { textContent: string } | null };
}

test('strangers add no form to the records by name, however many they name', async () => {
  const owner = await server.site();
  const statements = [{ key: 'news', text: 'Send me news', accepted: true }];
  const form = { form_url: 'https://shop.example.com/', subject: { external_id: 'x' }, statements };
  await owner.client.recordFormConsentForVisitor({
    token: owner.token,
    body: { ...form, form_id: 'newsletter', visitor: { address: '203.0.113.9' } },
  });
  for (let n = 0; n < 101; n++) {
    const body = { ...form, form_id: `-Sale_of_health_data_${n}` };
    await server.visitor.recordFormConsent({ token: owner.token, body });
  }
  const { entries } = await readJson(owner);
  expect(entries.map(({ name }) => name).filter((name) => name.startsWith('Consents given'))).toEqual([
    'Consents given in the form newsletter',
    'Consents given in other forms',
  ]);
});

test('each vendor is in the records, whatever is not known of it', async () => {
  const owner = await server.site();
  const vendor = { purposes: [], leg_int_purposes: [], urls: [], cookies: [] };
  await owner.client.replaceVendors({
    token: owner.token,
    body: {
      vendors: [
        { ...vendor, id: 1, name: 'Nowhere', categories: [], country: 'US', data_retention_days: 30 },
        { ...vendor, id: 2, name: 'Counter', categories: ['analytics'], country: 'US' },
        { ...vendor, id: 3, name: 'Maps', categories: ['functional'], country: 'US' },
        { ...vendor, id: 4, name: 'Fonts', categories: ['functional'], data_retention_days: 7 },
      ],
    },
  });
  const { settings } = await owner.client.getEnvironment({ token: owner.token });
  const categories = settings.categories.filter(({ key }) => key !== 'analytics');
  await owner.client.updateEnvironment({ token: owner.token, body: { settings: { categories } } });
  const { entries } = await readJson(owner);
  const found = (name: string) => {
    const entry = entries.find((one) => one.name === `Cookies and similar technologies: ${name}`);
    return entry && [entry.recipients, entry.transfers, entry.retention];
  };
  expect(found('vendors without a category')).toEqual([
    ['Nowhere', 'Counter'],
    'Nowhere (US): no safeguard recorded; Counter (US): no safeguard recorded',
    'Nowhere: 30 days; Counter: not recorded',
  ]);
  expect(found('Functional')).toEqual([
    ['Maps', 'Fonts'],
    'Maps (US): no safeguard recorded; Fonts: not recorded',
    'Maps: not recorded; Fonts: 7 days',
  ]);
  const score = await owner.client.getComplianceScore({ token: owner.token });
  const check = score.checks.find(({ id }) => id === 'vendors_described');
  expect(check?.evidence).toMatch(/Nowhere.*Counter/);
});
