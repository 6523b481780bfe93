import { randomUUID } from 'node:crypto';
import type { Schemas } from '@avow/sdk';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import type { Client } from '../helpers/server';
import { join } from '../helpers/site/people';

jest.setTimeout(120_000);

type Result = Pick<
  Schemas['CookieScan'],
  'cookies' | 'stored_items' | 'requests' | 'findings' | 'banner_detected'
>;

const cookie = (name: string, more: object = {}) => ({
  storage: 'cookie' as const,
  ...{ name, domain: 'shop.example.com', category: 'unclassified', max_age_seconds: 7_776_000, secure: true },
  ...{ http_only: false, same_site: 'Lax' as const, set_before_consent: true, first_party: true },
  ...more,
});

const item = (name: string, more: object = {}) => ({
  ...{ storage: 'local_storage' as const, name, host: 'shop.example.com', category: 'unclassified' },
  ...{ object_stores: [] as string[], set_before_consent: true, first_party: true },
  ...more,
});

const RESULT: Result = {
  cookies: [
    cookie('basket', { category: 'necessary', max_age_seconds: 0 }),
    cookie('_ga', { category: 'analytics', vendor: 'Google Analytics', max_age_seconds: 34_560_000 }),
    cookie('x'.repeat(120), { domain: 'tracker.example', first_party: false, same_site: null }),
  ],
  stored_items: [
    item('ajs_anonymous_id', { category: 'analytics', vendor: 'Twilio Segment' }),
    item('ajs_anonymous_id', { storage: 'session_storage', category: 'analytics', vendor: 'Twilio Segment' }),
    item('avow:env_0000000000000000000000', { category: 'necessary', vendor: 'Avow' }),
    item('app', { storage: 'indexed_db', object_stores: ['documents', 'files'] }),
    item('', { host: 'tracker.example', first_party: false }),
    item('y'.repeat(200), { host: 'tracker.example', first_party: false }),
  ],
  requests: [
    { host: 'shop.example.com', category: 'necessary', before_consent: true },
    {
      host: 'www.google-analytics.com',
      category: 'analytics',
      vendor: 'Google Analytics',
      before_consent: true,
    },
  ],
  findings: [
    {
      rule: 'cookie_before_consent',
      severity: 'critical',
      message:
        'Set before consent: _ga (analytics). Block the scripts that set them until the visitor has agreed.',
    },
  ],
  banner_detected: true,
};

describeInBrowser('cookie scans', () => {
  const kit = useConsole();

  /** A scan that is over, as the runner leaves it. */
  async function finished(client: Client, token: string, result = RESULT, at = new Date()): Promise<string> {
    const { db } = kit.server.service.context;
    const [environment] = await db('environments').where({ token }).select('id');
    const scan_id = randomUUID();
    await db('cookie_scans').insert({
      ...{
        scan_id,
        environment_id: environment.id,
        url: 'https://shop.example.com/books',
        domain: 'shop.example.com',
      },
      ...{ state: 'done', engine: 'browser', runs: 1, result: JSON.stringify(result) },
      ...{ created_at: at, started_at: at, finished_at: at },
    });
    expect((await client.getScan({ scan_id })).status).toBe('done');
    return scan_id;
  }

  test('an owner starts a scan and sees how it ends', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/scans`, { as: owner });
    await page.getByRole('heading', { name: 'No scan yet' }).waitFor();
    await kit.look(page, 'scans-empty');
    await page.getByLabel('Page').fill('https://other.example.org/');
    await page.getByRole('button', { name: 'Start scan' }).click();
    await page.getByText("Must be on one of the environment's domains.").waitFor();
    // A name that does not exist: the visit ends at once, on every machine.
    await page.getByLabel('Page').fill('https://shop.example.com/');
    await page.getByRole('button', { name: 'Start scan' }).click();
    await page.getByRole('heading', { name: 'Cookie scan', exact: true }).waitFor();
    await page.getByText('The page could not be visited').waitFor({ timeout: 60_000 });
    await kit.look(page, 'scan-failed');
    await page.getByRole('link', { name: 'Cookie scans' }).first().click();
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
  });

  test('what a scan found goes into the vendor list', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    const scan_id = await finished(client, token);
    const page = await kit.open(`/sites/${token}/scans/${scan_id}`, { as: owner });
    await page.getByText('Must be fixed').waitFor();
    await page
      .getByRole('row', { name: /^_ga/ })
      .getByText('400 days')
      .or(page.getByText('1.1 years'))
      .first()
      .waitFor();
    await kit.look(page, 'scan');
    await page.getByRole('button', { name: 'Add to the vendor list' }).first().click();
    const basket = page.getByRole('group', { name: 'basket' });
    await basket.getByLabel('Name of the new vendor').fill('Our own');
    await page.getByRole('checkbox', { name: /^Add x+/ }).uncheck({ force: true });
    await kit.look(page, 'scan-adopt');
    await page.getByRole('button', { name: 'Add 2 cookies' }).click();
    await page.getByText('Added to the vendor list').waitFor();
    const { vendors } = await kit.server.visitor.getVendors({ token });
    expect(
      vendors.map(({ name, cookies }) => [name, cookies.map((one) => [one.name, one.max_age_seconds])]),
    ).toEqual([
      ['Our own', [['basket', 0]]],
      ['Google Analytics', [['_ga', 34_560_000]]],
    ]);
  });

  test('what else is kept in the browser goes into the vendor list with the place that it is kept in', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/scans/${await finished(client, token)}`, { as: owner });
    const card = page.getByRole('region', { name: 'Other storage (6)' });
    await card.getByRole('row', { name: /app.*documents, files.*IndexedDB/ }).waitFor();
    await card.getByRole('row', { name: /no name.*tracker\.example \(third party\)/ }).waitFor();
    await card.getByRole('button', { name: 'Add to the vendor list' }).click();
    await card.getByRole('group', { name: 'app' }).getByLabel('Name of the new vendor').fill('Our own');
    await card.getByRole('checkbox', { name: /^Add y+/ }).uncheck({ force: true });
    await kit.look(page, 'scan-adopt-storage');
    await card.getByRole('button', { name: 'Add 4 items' }).click();
    await page.getByText('Added to the vendor list').waitFor();
    const { vendors } = await kit.server.visitor.getVendors({ token });
    const listed = () =>
      vendors.map(({ name, cookies }) => [
        name,
        cookies.map((one) => [one.name, one.storage, one.max_age_seconds]),
      ]);
    expect(listed()).toEqual([
      [
        'Twilio Segment',
        [
          ['ajs_anonymous_id', 'local_storage', 0],
          ['ajs_anonymous_id', 'session_storage', 0],
        ],
      ],
      ['Avow', [['avow:env_0000000000000000000000', 'local_storage', 0]]],
      ['Our own', [['app', 'indexed_db', 0]]],
    ]);
    // The page of a vendor keeps the place, and can change it.
    const segment = vendors.find(({ name }) => name === 'Twilio Segment')?.id;
    await page.goto(`${kit.server.url}/console/sites/${token}/vendors/${segment}`);
    await page.getByLabel('Stored in').first().selectOption('Cookie');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Vendor saved').waitFor();
    const saved = (await client.getVendors({ token })).vendors.find(({ id }) => id === segment);
    expect(saved?.cookies.map(({ storage }) => storage)).toEqual([undefined, 'session_storage']);
  });

  test('a scan says what is new, changed and gone since the one before of the same page', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    const yesterday = new Date(Date.now() - 86_400_000);
    const cookies = [cookie('old_id'), cookie('_ga', { category: 'functional', max_age_seconds: 60 })];
    const first = await finished(client, token, { ...RESULT, cookies, stored_items: [] }, yesterday);
    const page = await kit.open(`/sites/${token}/scans/${await finished(client, token)}`, { as: owner });
    const changes = page.getByRole('table', { name: 'Changes', exact: true });
    await changes.getByRole('row', { name: /^basket New Cookie shop\.example\.com/ }).waitFor();
    await changes.getByRole('row', { name: /^_ga Changed Cookie .*Functional → Analytics/ }).waitFor();
    await changes.getByRole('row', { name: /^old_id Gone/ }).waitFor();
    await kit.look(page, 'scan-changes');
    await page.getByRole('region', { name: 'Since the scan before' }).getByRole('link').click();
    await page.waitForURL(`**/${first}`);
    await page.getByText('There is no earlier scan of this page to compare with.').waitFor();
  });

  test('an owner has pages scanned every day, sees what failed, and turns it off', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    const { db } = kit.server.service.context;
    const page = await kit.open(`/sites/${token}/scans`, { as: owner });
    const card = page.getByRole('region', { name: 'Scheduled scans' });
    await card.getByText('No scans are scheduled.').waitFor();
    const change = () => card.getByRole('button', { name: 'Change the schedule' }).click();
    await change();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Every day').click();
    await dialog.getByLabel('Pages').fill('https://other.example.org/');
    await dialog.getByRole('button', { name: 'Save the schedule' }).click();
    await dialog.getByText("Must be on one of the environment's domains.").waitFor();
    await kit.look(page, 'scan-schedule-change');
    await dialog.getByLabel('Pages').fill('https://shop.example.com/\nhttps://shop.example.com/checkout');
    await dialog.getByRole('button', { name: 'Save the schedule' }).click();
    await page.getByText('Schedule saved').waitFor();
    await card.getByText(`These pages are scanned every day, as set by ${owner.email}.`).waitFor();
    expect(await client.getScanSchedule({ token })).toMatchObject({ every: 'daily', pages: [{}, {}] });
    await db('scheduled_pages')
      .where({ position: 1 })
      .update({ failures: 3, error: 'The page answered 503.' });
    await page.reload();
    await card.getByRole('row', { name: /checkout.*3 turns in a row failed.*answered 503/ }).waitFor();
    await kit.look(page, 'scan-schedule');
    await change();
    await dialog.getByText('Scans are started by hand only.').click();
    await dialog.getByRole('button', { name: 'Save the schedule' }).click();
    await card.getByText('No scans are scheduled.').waitFor();
    const viewer = await kit.server.person('Vera Viewer');
    await join({ client, token }, viewer, 'viewer');
    const seen = await kit.open(`/sites/${token}/scans`, { as: viewer });
    await seen.getByText('An owner can have pages scanned every day or week.').waitFor();
    expect(await seen.getByRole('button', { name: 'Change the schedule' }).count()).toBe(0);
  });

  test('a viewer reads scans and starts none', async () => {
    const { client, token } = await kit.server.site();
    const viewer = await kit.server.person('Vera Viewer');
    await join({ client, token }, viewer, 'viewer');
    const scan_id = await finished(client, token);
    const page = await kit.open(`/sites/${token}/scans/${scan_id}`, { as: viewer });
    await page.getByRole('heading', { name: 'Cookies (3)' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add to the vendor list' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Cookie scans' }).first().click();
    await page.getByRole('cell', { name: '1 to fix' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start scan' }).count()).toBe(0);
    await kit.look(page, 'scans');
  });
});
