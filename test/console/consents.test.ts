import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { decideTwice } from '../helpers/console/desk';
import { harbourBooks } from '../helpers/console/harbour';
import { colleague } from '../helpers/console/roles';

jest.setTimeout(120_000);

describeInBrowser('consents', () => {
  const kit = useConsole();

  const shop = async () => {
    const owner = await kit.server.person('Ada Owner');
    const token = await harbourBooks(kit.server, owner, { events: 1_500 });
    return { owner, token, ...(await decideTwice(kit.server, token)) };
  };
  const rows = (page: Page) => page.getByRole('table', { name: 'Consent records' }).locator('tbody tr');

  test('are listed newest first, found by session, decision and day, and exported as they are filtered', async () => {
    const { owner, token, session_id } = await shop();
    const page = await kit.open(`/sites/${token}/consents`, { as: owner });
    await page.getByText('50 shown').waitFor();
    await kit.look(page, 'consents');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('100 shown').waitFor();
    await page.getByLabel('Session').fill(session_id);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 shown, that is all').waitFor();
    await page.getByLabel('Decision').selectOption('accept_all');
    await page.getByText('1 shown, that is all').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export NDJSON' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^consents-harbour-books\.example-.*\.ndjson$/);
    const lines = (await savedText(file)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ session_id, decision: 'accept_all' }]);
    const csv = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await savedText(await csv)).trim().split('\n')).toHaveLength(2);
  });

  test('a day is a day of the site’s zone, and a session that is none is refused at its field', async () => {
    const { owner, token, first } = await shop();
    await kit.server.service.context
      .db('consents')
      .where({ consent_id: first })
      .update({ user_agent: 'Mozilla/5.0' });
    const { recorded_at } = await owner.client.getConsent({ token, consent_id: first });
    const page = await kit.open(`/sites/${token}/consents`, { as: owner });
    const from = new Date(Math.floor(Date.parse(recorded_at) / 60_000) * 60_000);
    const wall = new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit' },
    }).format(from);
    await page.getByLabel('From').fill(wall.replace(' ', 'T'));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText(/shown, that is all/).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(from.toISOString());
    const { items } = await owner.client.listConsents({ token, from: from.toISOString() });
    expect(await rows(page).count()).toBe(items.length);
    await page.getByLabel('Session').fill('nobody');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.field-error').waitFor();
    expect(await page.getByLabel('Session').inputValue()).toBe('nobody');
  });

  test('a bundle that the site never had is told as a claim', async () => {
    const owner = await kit.server.person('Ada Owner');
    const token = await harbourBooks(kit.server, owner, { events: 100 });
    const body = {
      session_id: randomUUID(),
      decision: 'accept_all',
      bundle_hash: 'deadbeefdeadbeef',
    } as const;
    const { consent_id } = await owner.client.logConsent({ token, body });
    const page = await kit.open(`/sites/${token}/consents/${consent_id}`, { as: owner });
    await page.getByText('deadbeefdeadbeef, as the sender claimed: this site never had it').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('one record proves who, when, how and what, with what came later; printed it is one page', async () => {
    const { owner, token, first, second, session_id } = await shop();
    const page = await kit.open(`/sites/${token}/consents/${first}`, { as: owner });
    await page.getByRole('heading', { name: 'Consent: accepted all' }).waitFor();
    await page.getByText('Consent was withdrawn later').waitFor();
    // They are not versioned, so that an older record cannot say what they were.
    await page.getByText('(as named today)').waitFor();
    for (const text of [
      session_id,
      '127.0.***.***',
      'https://harbour-books.example/crime-novels',
      'Not sent',
    ]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await page.getByText('The record names no bundle').waitFor();
    await kit.look(page, 'consent');
    expect(await pagesOf(page)).toBe(1);
    await page.getByRole('link', { name: /own choice/ }).click();
    await page.waitForURL(`**/${second}`);
    await page.getByRole('heading', { name: 'Consent: own choice' }).waitFor();
    const choices = await page
      .getByRole('table', { name: 'Choice by category' })
      .locator('tbody tr')
      .allTextContents();
    expect(choices).toEqual([
      'NecessaryAlways active',
      'FunctionalAllowed',
      'AnalyticsRefused',
      'MarketingRefused',
    ]);
  });

  test('the banner is shown as it was, from the bundle of the record, in the visitor’s language', async () => {
    const owner = await kit.server.site({
      languages: ['en', 'de'],
      banner: undefined,
    });
    const { token } = owner;
    const { settings } = await owner.client.getEnvironment({ token });
    const texts = { en: { title: 'Cookies at the old shop' }, de: { title: 'Cookies im alten Laden' } };
    await owner.client.updateEnvironment({
      token,
      body: { settings: { banner: { ...settings.banner, texts } } },
    });
    const bundle = await owner.client.generateBundle({ token, body: {} });
    const { consent_id } = await kit.server.visitor.logConsent({
      token,
      body: {
        ...{ session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'reject_all', language: 'de' },
        ...{ bundle_hash: bundle.hash, banner_version: bundle.version },
      },
    });
    // What visitors see later must not change what this one saw.
    const later = { en: { title: 'Another text' }, de: { title: 'Ein anderer Text' } };
    await owner.client.updateEnvironment({
      token,
      body: { settings: { banner: { ...settings.banner, texts: later } } },
    });
    await owner.client.generateBundle({ token, body: {} });
    const page = await kit.open(`/sites/${token}/consents/${consent_id}`, { as: owner });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Cookies im alten Laden' }).waitFor();
    await page.getByText(bundle.integrity).waitFor();
    await kit.look(page, 'consent-bundle');
    expect(await pagesOf(page)).toBe(1);
    // On paper too: the page of a site hides its banner there.
    await page.emulateMedia({ media: 'print' });
    await frame.getByRole('heading', { name: 'Cookies im alten Laden' }).waitFor();
    await page.emulateMedia({ media: 'screen' });
  });

  test('a visitor is erased after a question that names the number of records', async () => {
    const { owner, token, first, session_id } = await shop();
    const page = await kit.open(`/sites/${token}/consents/${first}`, { as: owner });
    await page.getByRole('button', { name: 'Erase this visitor' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('2 consent records').waitFor();
    await kit.look(page, 'consent-erase');
    await page.keyboard.press('Escape');
    expect((await owner.client.listConsents({ token, session_id })).items).toHaveLength(2);
    await page.getByRole('button', { name: 'Erase this visitor' }).click();
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Erased: 2 consent records.').waitFor();
    await page.getByRole('heading', { name: 'Consents' }).waitFor();
    expect((await owner.client.listConsents({ token, session_id })).items).toEqual([]);
    await page.getByText('50 shown').waitFor();
    expect(await rows(page).first().textContent()).not.toContain(session_id);
  });

  test('a viewer sees the proof and is not offered to erase', async () => {
    const { owner, token, first } = await shop();
    const viewer = await colleague(kit.server, owner, token, 'viewer');
    const page = await kit.open(`/sites/${token}/consents/${first}`, { as: viewer });
    await page.getByRole('button', { name: 'Print' }).waitFor();
    expect(await page.getByRole('button', { name: 'Erase this visitor' }).count()).toBe(0);
  });

  test('of forms are listed with the wording that was shown, mark-up as text', async () => {
    const { owner, token } = await shop();
    const say = (email: string, text: string, accepted: boolean) =>
      kit.server.visitor.recordFormConsent({
        token,
        body: {
          ...{ form_id: 'newsletter', form_url: 'https://harbour-books.example/newsletter' },
          ...{ subject: { email }, double_opt_in: 'confirmed', language: 'de' },
          statements: [{ key: 'news', text, accepted }],
        },
      });
    await say('lotte@example.com', 'Send me the monthly newsletter with <b>new books</b>.', true);
    await say('emil@example.com', 'Share my address with the publisher.', false);
    const page = await kit.open(`/sites/${token}/consents`, { as: owner });
    await page.getByRole('link', { name: 'Form consents' }).click();
    await page.getByText('Send me the monthly newsletter with <b>new books</b>.').waitFor();
    await page.getByText('2 shown, that is all').waitFor();
    await kit.look(page, 'form-consents');
    await page.getByLabel('E-mail address').fill('emil@example.com');
    await page.getByLabel('E-mail address').press('Enter');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByRole('table', { name: 'Form consents' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Form consent: newsletter' }).waitFor();
    await page.getByText('Share my address with the publisher.').waitFor();
    const evidence = page.getByRole('region', { name: 'Evidence', exact: true });
    await evidence
      .getByText(/Sealed|Not sealed yet/)
      .first()
      .waitFor();
    await kit.look(page, 'form-consent');
    const saved = page.waitForEvent('download');
    await evidence.getByRole('button', { name: 'Export evidence pack' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^evidence-.*\.zip$/);
  });

  test('a site without decisions says what will be here', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/consents`, { as: owner });
    await page.getByText('No decision yet').waitFor();
    await kit.look(page, 'consents-empty');
  });
});

/** How many sheets of A4 the page takes when it is printed. */
async function pagesOf(page: Page): Promise<number> {
  await page.emulateMedia({ media: 'print' });
  const pdf = await page.pdf({ preferCSSPageSize: true });
  await page.emulateMedia({ media: 'screen' });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
