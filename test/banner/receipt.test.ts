import { type Verification, verifyEvidence } from '@avow/sdk/verify';
import type { Download, Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

describeInBrowser('the receipt in the settings', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  const openSettings = (page: Page) => page.getByRole('button', { name: 'Privacy settings' }).click();
  const link = (page: Page) => page.getByRole('link', { name: 'Receipt of your choice' });

  /** Saves the receipt as a visitor does. */
  async function save(page: Page): Promise<{ name: string; text: string }> {
    // The browser opens a tab for the link, and closes it for what is saved.
    const saved = new Promise<Download>((resolve) => {
      page.once('download', resolve);
      page.context().once('page', (tab) => tab.once('download', resolve));
    });
    await link(page).click();
    const download = await saved;
    return { name: download.suggestedFilename(), text: await savedText(download) };
  }

  const stored = (session_id: string) =>
    until('the decision is stored', async () => {
      const { decision } = await shop.server.visitor.getPreferences({ token: shop.token, session_id });
      return decision !== null;
    });

  const verify = (text: string, ...trustedKeys: string[]): Promise<Verification> =>
    verifyEvidence(text, { trustedKeys });

  test('a visitor decides, saves the receipt, and it verifies once it is sealed', async () => {
    const { token, server } = shop;
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Privacy settings' }).waitFor();
    // Nothing was decided, so there is nothing to keep.
    expect(await link(page).count()).toBe(0);
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await page.getByRole('button', { name: 'Save choice' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const session_id = (await consentOf(page))?.session_id as string;
    await stored(session_id);
    await openSettings(page);
    const first = await save(page);
    expect(first.name).toMatch(/^consent-receipt-\d{4}-\d\d-\d\d\.json$/);
    const receipt = JSON.parse(first.text);
    expect(receipt).toMatchObject({ '@type': 'ConsentReceipt', session_id, decision: 'save_preferences' });
    const early = await verify(first.text);
    expect([early.kind, early.verdict]).toEqual(['receipt', 'incomplete']);
    if (receipt.evidence.pending) expect(early.records).toEqual({ proven: 0, pending: 1, failed: 0 });
    await until('it is sealed', async () => {
      const { behind, size } = await server.visitor.getEvidenceLog({ token });
      return !behind && size !== null;
    });
    const { keys } = await server.visitor.getEvidenceLog({ token });
    const sealed = await save(page);
    const found = await verify(sealed.text, keys[0]?.vkey as string);
    expect([found.verdict, found.records.proven]).toEqual(['verified', 1]);
    // The settings are still open: nothing led away from the page.
    expect(await link(page).isVisible()).toBe(true);
    await page.context().close();
  });

  test('is counted as no look at the policy', async () => {
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Reject all' }).click();
    const session_id = (await consentOf(page))?.session_id as string;
    await stored(session_id);
    await openSettings(page);
    await save(page);
    const sent = page.waitForRequest((request) => request.url().endsWith('/e'));
    // As when the page is left.
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    expect((await sent).postData()).toMatch(/settings_opened/);
    expect((await sent).postData()).not.toContain('policy_opened');
    await page.context().close();
  });

  test('is of the latest decision of the own session, wherever the link is followed', async () => {
    const { token, host } = shop;
    const page = await shop.visit();
    for (const name of ['Accept all', 'Reject all']) {
      if (name === 'Reject all') await openSettings(page);
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    const session_id = (await consentOf(page))?.session_id as string;
    await shop.publish({ enforce_origin: true });
    const ask = (session: string) => fetch(`${host}/api/receipts/${token}?session_id=${session}`);
    // A link sends no origin.
    const receipt = await until('the second decision is stored', async () => {
      const answer = await ask(session_id);
      const found = answer.ok ? ((await answer.json()) as { decision: string }) : undefined;
      return found?.decision === 'reject_all' && found;
    });
    expect(receipt).toMatchObject({ session_id, status: 'refused' });
    const strange = await ask('0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11');
    expect([strange.status, await strange.json()]).toMatchObject([404, { data: { code: 'not_found' } }]);
    await page.context().close();
  });
});
