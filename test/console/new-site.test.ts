import { describeInBrowser } from '../helpers/browser/browser';
import { startPages } from '../helpers/browser/pages';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(120_000);

describeInBrowser('a new site', () => {
  const kit = useConsole({ variables: { SITES_PER_ACCOUNT: '300' } });

  test('is there in three steps: domain, settings, snippet; and the first decision of a visitor arrives', async () => {
    const owner = await kit.server.person('Ada Owner');
    const page = await kit.open('/', { as: owner });
    await page.getByText('No site yet').waitFor();
    await kit.look(page, 'sites-empty');
    await page.getByRole('link', { name: 'Add your first site' }).click();
    // Each step is checked before the next one.
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Give the site a name.').waitFor();
    await page.getByText('Give the domain of the site.').waitFor();
    await page.getByLabel('Name').fill('Harbour Books <b>Ltd</b>');
    await page.getByLabel('Domain', { exact: true }).fill('harbour books');
    await page.getByLabel('Further domains').fill('m.harbour-books.example, -wrong-.example');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Must be a domain name such as www.example.com.', { exact: true }).waitFor();
    await page.getByText('“-wrong-.example” must be a domain name such as www.example.com.').waitFor();
    await kit.look(page, 'new-site-domain');
    await page
      .getByLabel('Further domains')
      .fill('http://m.harbour-books.example:8080/, harbour-books.example');
    // What the browser's address line has, becomes the domain.
    await page.getByLabel('Domain', { exact: true }).fill('https://www.harbour-books.example/crime?a=1#b');
    await page.getByLabel('Name').focus();
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('www.harbour-books.example');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Main language').selectOption('German');
    await page.getByLabel('Further languages').selectOption('English');
    await page.getByLabel('Further languages').selectOption('French');
    await page.getByRole('button', { name: 'Without French' }).click();
    await page.getByLabel('Address of the privacy policy').fill('https://harbour-books.example/privacy');
    await kit.look(page, 'new-site-settings');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByLabel('Main language').inputValue()).toBe('de');
    await page.getByRole('button', { name: 'Create site' }).click();
    await page.getByRole('heading', { name: 'Install the banner' }).waitFor();
    const snippet = await page.locator('pre').textContent();
    await page.getByText('Waiting for the first impression').waitFor();
    await kit.look(page, 'install');

    const [site] = (await owner.client.listEnvironments()).items;
    expect(site).toMatchObject({ name: 'Harbour Books <b>Ltd</b>', domain: 'www.harbour-books.example' });
    expect(site?.domains).toEqual([
      'www.harbour-books.example',
      'm.harbour-books.example',
      'harbour-books.example',
    ]);
    expect(site?.settings).toMatchObject({ languages: ['de', 'en'], default_language: 'de' });
    const shop = await startPages((_path, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><title>Shop</title>${snippet}<h1>Shop</h1>`),
    );
    const visitor = await page.context().browser()?.newPage();
    try {
      await visitor?.goto(`http://127.0.0.1:${shop.port}/`);
      await page.getByText('The banner was shown 1 time in the last 30 days.').waitFor();
      await visitor
        ?.getByRole('button', { name: /Accept all|Alle/ })
        .first()
        .click();
      await page.getByText('The newest decision').waitFor();
      await kit.look(page, 'install-done');
      const { items } = await owner.client.listConsents({ token: site?.token as string });
      expect(items[0]?.decision).toBe('accept_all');
      expect(await page.getByRole('link', { name: 'The newest decision' }).getAttribute('href')).toBe(
        `/console/sites/${site?.token}/consents/${items[0]?.consent_id}`,
      );
      await page.getByRole('link', { name: 'It works: to the overview' }).click();
      await page.getByRole('heading', { name: 'Harbour Books <b>Ltd</b>' }).waitFor();
    } finally {
      await visitor?.close();
      await shop.stop();
    }
  });

  test('is found among two hundred by its name', async () => {
    const owner = await kit.server.person('Ada Owner');
    for (let group = 0; group < 40; group += 1) {
      await Promise.all(
        Array.from({ length: 5 }, (_, index) => {
          const number = group * 5 + index + 1;
          return owner.client.createEnvironment({
            body: { name: `Branch ${number}`, domain: `branch-${number}.example` },
          });
        }),
      );
    }
    await owner.client.createEnvironment({ body: { name: 'Lighthouse', domain: 'lighthouse.example' } });
    const page = await kit.open('/sites', { as: owner });
    await page.getByRole('cell', { name: 'branch-200.example' }).waitFor();
    await page.getByText('50 shown').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('100 shown').waitFor();
    await page.getByRole('button', { name: 'Choose a site' }).click();
    await page.getByLabel('Find one of 201 sites').fill('LIGHT');
    await page
      .getByRole('dialog', { name: 'Sites' })
      .getByRole('link', { name: /Lighthouse/ })
      .waitFor();
    await kit.look(page, 'site-switcher');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lighthouse' }).waitFor();
    await page.getByRole('button', { name: 'Lighthouse' }).waitFor();
  });
});
