import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, savedText } from '../helpers/browser/browser';
import { violations } from '../helpers/docs/axe';
import { lineOf, makePack, receiptOf, zipOf } from '../helpers/ledger/made-pack';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const SHOTS = join(__dirname, '..', '..', 'screenshots', 'verify');

interface Given {
  name: string;
  content: Buffer;
}

describeInBrowser('the page /verify', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the page asked for after it was there, and what went wrong in it. */
  let asked: string[];
  let wrong: string[];
  const folder = mkdtempSync(join(tmpdir(), 'avow-verify-page-'));

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    [server, browser] = await Promise.all([startServer({ variables: { SEAL_SECONDS: '1' } }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
    [asked, wrong] = [[], []];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
    });
  });
  afterEach(async () => {
    await context.close();
    expect({ asked, wrong }).toEqual({ asked: [], wrong: [] });
  });

  /** Opens the page, and from then on notes each request. */
  async function open(url = `${server.url}/verify`): Promise<void> {
    await page.goto(url);
    page.on('request', (request) => asked.push(request.url()));
  }

  async function drop({ name, content }: Given): Promise<void> {
    const transfer = await page.evaluateHandle(
      ([file, base64]) => {
        const bytes = Uint8Array.from(atob(base64 as string), (sign) => sign.charCodeAt(0));
        const dropped = new DataTransfer();
        dropped.items.add(new File([bytes], file as string));
        return dropped;
      },
      [name, content.toString('base64')],
    );
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  }

  const pick = ({ name, content }: Given) =>
    page
      .getByLabel('Evidence pack or receipt')
      .setInputFiles({ name, buffer: content, mimeType: 'application/octet-stream' });

  const trust = async (...keys: string[]): Promise<void> => {
    const field = page.getByLabel('Keys of the log');
    if (!(await field.isVisible())) await page.getByText('Keys that you trust').click();
    await field.fill(keys.join('\n'));
  };

  const verdict = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const text = () => page.getByRole('region', { name: 'Result' }).innerText();

  /** What a real server hands out of a decision: a pack, a receipt, and the key to hold them against. */
  async function handedOut() {
    const { client, token } = await server.site();
    const session_id = randomUUID();
    const decision = { session_id, decision: 'accept_all' as const };
    const { consent_id } = await server.visitor.logConsent({ token, body: decision });
    const receipt = await until('it is sealed', async () => {
      const given = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
      return given.evidence.pending ? undefined : given;
    });
    const answer = await client.exportEvidence({ token, consent_id });
    const { keys } = await server.visitor.getEvidenceLog({ token });
    return {
      consent_id,
      vkey: keys[0]?.vkey ?? '',
      pack: { name: 'evidence.zip', content: Buffer.from(await answer.arrayBuffer()) },
      receipt: { name: 'receipt.json', content: Buffer.from(JSON.stringify(receipt, null, 2)) },
    };
  }

  test('verifies what a server hands out, and asks nobody', async () => {
    const { pack, receipt, vkey, consent_id } = await handedOut();
    await open();
    await drop(pack);
    await verdict('Incomplete');
    expect(await text()).toMatch(/you named no key that you trust/i);
    await trust(vkey);
    await page.getByRole('button', { name: 'Verify with these keys' }).click();
    await verdict('Verified');
    await page.getByText(/^Records \(/).click();
    expect(await text()).toContain(consent_id);
    expect(await page.getByRole('status').innerText()).toMatch(/^Verified\./);
    await pick(receipt);
    await page.getByText('receipt.json').waitFor();
    await verdict('Verified');
    await page.getByText('Paste a receipt instead').click();
    await page.getByLabel('Text of the receipt').fill(receipt.content.toString());
    await page.getByRole('button', { name: 'Verify the text' }).click();
    await page.getByText('the pasted text,').waitFor();
    await verdict('Verified');
  });

  test('works as one saved file, without a network', async () => {
    await page.goto(`${server.url}/verify`);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'save this page' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('avow-verify.html');
    const file = join(folder, 'avow-verify.html');
    writeFileSync(file, await savedText(download));
    const { pack, receipt, vkey } = await handedOut();
    await context.setOffline(true);
    await open(pathToFileURL(file).href);
    // Links to the server would lead nowhere.
    expect(await page.getByRole('link', { name: 'save this page' }).isVisible()).toBe(false);
    await trust(vkey);
    await drop(pack);
    await verdict('Verified');
    await drop(receipt);
    await page.getByText('receipt.json').waitFor();
    await verdict('Verified');
    expect(await violations(page)).toEqual([]);
  });

  test('says of a changed file which record fails, and where', async () => {
    const pack = makePack();
    const record = lineOf(pack, 'record');
    record.statement = record.statement.replace('accept_all', 'reject_all');
    await open();
    await trust(pack.keys.old.vkey);
    await drop({ name: 'changed.zip', content: zipOf(pack) });
    await verdict('Failed');
    const failed = page.getByRole('listitem').filter({ hasText: 'evidence.ndjson line 6' });
    expect(await failed.innerText()).toMatch(
      /Records.*evidence.ndjson line 6\s+Consent 0197a0b0-0000-7000-8000-000000000001: it is not in the log/s,
    );
    expect(await page.getByRole('status').innerText()).toMatch(/^Failed\. .*1 of the steps do not hold/);
    await drop({ name: 'cut.zip', content: zipOf(pack).subarray(0, -9) });
    await page.getByText('it does not end as a ZIP file does', { exact: false }).waitFor();
    await drop({ name: 'photo.jpg', content: Buffer.from([0xff, 0xd8, 0xff]) });
    await page.getByText('no ZIP file and no JSON object', { exact: false }).waitFor();
  });

  test('a key that is none is named at its field; one that did not sign fails', async () => {
    const pack = makePack();
    const file = { name: 'pack.zip', content: zipOf(pack) };
    await open();
    await trust(`${pack.keys.old.vkey}x`);
    await pick(file);
    await page.getByText('name+id+base64: the whole line').waitFor();
    const field = page.getByLabel('Keys of the log');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0);
    await trust(makePack().keys.old.vkey);
    await page.getByRole('button', { name: 'Verify with these keys' }).click();
    await verdict('Failed');
    expect(await text()).toContain('none of the keys that you trust');
    await trust(pack.keys.old.vkey);
    await page.getByLabel('Witnesses').fill(pack.keys.witness.vkey);
    await page.getByRole('button', { name: 'Verify with these keys' }).click();
    await verdict('Verified');
  });

  test('what a hostile file says is shown as text', async () => {
    const receipt = receiptOf(makePack());
    receipt.evidence.origin = `<img src=x onerror=alert(1)>/ledger/${receipt.evidence.site}`;
    await open();
    await drop({ name: '<b>x</b>.json', content: Buffer.from(JSON.stringify(receipt)) });
    await verdict('Failed');
    expect(await text()).toContain('<b>x</b>.json');
    expect(await page.locator('#result b, #result img').count()).toBe(0);
  });

  test.each([
    [1280, 'light'],
    [360, 'dark'],
  ] as const)('is accessible at %i px in %s, by keyboard too', async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const pack = makePack();
    const record = lineOf(pack, 'record', 1);
    record.statement = record.statement.replace('Shop', 'Show');
    await open();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    await pick({ name: 'changed.zip', content: zipOf(pack) });
    await verdict('Failed');
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    if (process.env.SCREENSHOTS !== 'off')
      await page.screenshot({ path: join(SHOTS, `${width}-${colorScheme}.png`), fullPage: true });
  });

  test('stays usable while a large pack is verified', async () => {
    const records = Array.from({ length: 40 }, (_, step): [string, Record<string, unknown>] => [
      'import',
      { step, text: randomBytes(100_000).toString('base64') },
    ]);
    const file = { name: 'large.zip', content: zipOf(makePack(records, 9)) };
    await open();
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: kept in the page for the test
      const kept = window as any;
      kept.values = new Set<number>();
      const look = () => {
        kept.values.add(document.querySelector('progress')?.value);
        requestAnimationFrame(look);
      };
      look();
    });
    await pick(file);
    await verdict('Incomplete');
    // Frames were painted while it ran, with the progress in them.
    // biome-ignore lint/suspicious/noExplicitAny: kept in the page for the test
    expect(await page.evaluate(() => (window as any).values.size)).toBeGreaterThan(2);
    expect(await text()).toContain('40 proven');
  });
});
