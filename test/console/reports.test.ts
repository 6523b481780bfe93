import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { harbourBooks } from '../helpers/console/harbour';

jest.setTimeout(120_000);

const STATES = { pass: '✓ Kept', fail: '✕ Not kept', unknown: '? Not known' };

describeInBrowser('compliance score and records of processing', () => {
  const kit = useConsole();

  test('each check shows its state in words, evidence, remedy and law, and links to where to fix it', async () => {
    const owner = await kit.server.person();
    const token = await harbourBooks(kit.server, owner, { events: 500, days: 20 });
    const { score, grade, checks } = await owner.client.getComplianceScore({ token });
    const page = await kit.open(`/sites/${token}/score`, { as: owner });
    await page.getByText(`Grade ${grade}`).waitFor();
    await page.getByText(`${score} of 100 points`).waitFor();
    for (const check of checks) {
      const row = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: check.title }) });
      await row.getByText(STATES[check.status], { exact: true }).waitFor();
      await row.getByText(check.legal_reference).waitFor();
      const links = await row.getByRole('link').count();
      expect([check.id, links]).toEqual([check.id, check.remedy === '' ? 0 : 1]);
    }
    await kit.look(page, 'score');
    await page.getByRole('link', { name: 'Name the officer' }).click();
    await page.waitForURL(/settings\/controller$/);
  });

  test('what is fixed counts when it is published and the score is checked again', async () => {
    const owner = await kit.server.site();
    await owner.client.generateBundle({ token: owner.token });
    const page = await kit.open(`/sites/${owner.token}/score`, { as: owner });
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'A privacy policy is linked' }) });
    await row.getByText('✕ Not kept').waitFor();
    const settings = { privacy_policy_url: 'https://shop.example.com/privacy' };
    await owner.client.updateEnvironment({ token: owner.token, body: { settings } });
    await page.getByRole('button', { name: 'Check again' }).click();
    await row.getByText(/in the published banner: no address; saved, but not published yet: https/).waitFor();
    expect(await row.getByText('✕ Not kept').count()).toBe(1);
    await row.getByRole('link', { name: /^Publish the banner/ }).click();
    await page.waitForURL(/\/banner$/);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL(/\/banner\/published$/);
    await page.getByRole('link', { name: 'Compliance score' }).click();
    await row.getByText('✓ Kept').waitFor();
  });

  test('an archived site leads to where it is set to active', async () => {
    const owner = await kit.server.site();
    await owner.client.updateEnvironment({ token: owner.token, body: { status: 'archived' } });
    const page = await kit.open(`/sites/${owner.token}/score`, { as: owner });
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'The banner is shown on the site' }) });
    await row.getByText('the site is archived: visitors get no banner').waitFor();
    await row.getByRole('link', { name: /^Open the settings/ }).click();
    await page.waitForURL(/\/settings(\/|$)/);
  });

  test('the records show every entry with the letters of the article, and come as four files', async () => {
    const owner = await kit.server.person();
    const token = await harbourBooks(kit.server, owner, { events: 200, days: 10 });
    const body = {
      settings: {
        security_measures: ['Encryption at rest'],
        processing_activities: [
          {
            name: '<b>Newsletter</b>',
            purposes: ['Telling customers about new books'],
            lawful_basis: 'consent' as const,
            subject_categories: ['customers'],
            data_categories: ['e-mail address'],
            recipients: ['Mail provider'],
          },
        ],
      },
    };
    await owner.client.updateEnvironment({ token, body });
    const page = await kit.open(`/sites/${token}/ropa`, { as: owner });
    await page.getByRole('heading', { name: '<b>Newsletter</b>' }).waitFor();
    await page.getByText('Harbour Books GmbH').waitFor();
    await page.getByText('Security measures (g)').first().waitFor();
    const own = await page.getByRole('region', { name: '<b>Newsletter</b>' }).innerText();
    for (const letter of ['Transfers to third countries (e)', 'Erasure (f)'])
      expect(own).toMatch(new RegExp(`${letter.replace(/[()]/g, '\\$&')}\\s+not recorded`));
    // A category without a vendor has nobody who receives anything, as far as is known.
    expect(await page.getByText('Recipients (d)').count()).toBeGreaterThan(3);
    expect(
      await page
        .locator('main dd')
        .filter({ hasText: /^(none|–|)$/ })
        .count(),
    ).toBe(0);
    await kit.look(page, 'ropa');
    const files: Record<string, string> = {};
    for (const name of ['JSON', 'CSV', 'Excel', 'Printable page']) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      const ending = file.suggestedFilename().split('.').pop() as string;
      files[ending] = await savedText(file, 'latin1');
    }
    expect(Object.keys(files)).toEqual(['json', 'csv', 'xlsx', 'html']);
    expect(JSON.parse(files.json as string).entries[0].name).toBe('<b>Newsletter</b>');
    expect(files.csv).toContain('Telling customers about new books');
    expect(files.xlsx?.slice(0, 2)).toBe('PK');
    expect(files.html).toContain('&lt;b&gt;Newsletter&lt;/b&gt;');
  });

  test('a site without a controller is told so', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/ropa`, { as: owner });
    await page.getByText('The controller is not named').waitFor();
  });
});
