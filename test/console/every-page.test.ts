import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { decideTwice, fillBreaches, fillRequests } from '../helpers/console/desk';
import { harbourBooks } from '../helpers/console/harbour';
import { fillWebhooks } from '../helpers/console/hooks';
import { answered, mailedCode, memberLinks } from '../helpers/mail/mailed-pages';
import { INWARD, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(600_000);

/** The most that the parts of a page may move while it loads: what Web Vitals call good. */
const MOST_SHIFT = 0.1;

/** The names of the contract's operations that are no words. */
const OPERATIONS: ReadonlySet<string> = (() => {
  const file = join(__dirname, '../../spec/generated/openapi.yaml');
  const { paths } = parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  return new Set(ids.filter((id): id is string => id !== undefined && /[A-Z]/.test(id)));
})();

/** Ids and hashes in an address, so that two records have one page. */
const pageOf = (path: string): string =>
  path
    .replace(/\?.*/, '')
    .replace(/env_[\w-]+/, ':site')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id')
    .replace(/published\/.+/, 'published/:hash')
    .replace(/vendors\/\d+/, 'vendors/:number');

describeInBrowser('every page', () => {
  const kit = useConsole({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,0,0,0' } });

  /** A site with something on each of its pages; answers where to begin. */
  async function everything() {
    const owner = await kit.server.person('Ada Owner');
    const token = await harbourBooks(kit.server, owner, { events: 800, days: 40 });
    const [request = ''] = await fillRequests(kit.server, owner, token);
    const [, breach = ''] = await fillBreaches(owner, token);
    const { first } = await decideTwice(kit.server, token);
    const { hash } = await owner.client.generateBundle({ token, body: {} });
    await kit.server.visitor.recordFormConsent({
      token,
      body: {
        ...{ form_id: 'newsletter', form_url: 'https://harbour-books.example/newsletter' },
        ...{ subject: { email: 'lotte@example.com' }, double_opt_in: 'confirmed', language: 'en' },
        statements: [{ key: 'news', text: 'Send me the monthly newsletter.', accepted: true }],
      },
    });
    const site = `/sites/${token}`;
    const pages = [
      ...[
        '',
        '/consents',
        `/consents/${first}`,
        '/consents/forms',
        '/consents/erasures',
        '/dsar',
        `/dsar/${request}`,
      ],
      ...['/breaches', `/breaches/${breach}`, '/breaches/new', '/analytics', '/score', '/ropa', '/banner'],
      ...['/banner/published', `/banner/published/${hash}`, '/vendors', '/scans', '/settings', '/members'],
      '/diagnostics',
      ...['/webhooks', '/install', '/keys', '/sign-on', '/audit', '/evidence', '/settings/evidence'],
      ...['/mail', '/settings/mail', '/settings/pages'],
    ].map((path) => `${site}${path}`);
    return {
      owner,
      token,
      pages: [
        ...[...pages, '/sites', '/sites/new', '/account', '/account/keys', '/account/audit'],
        ...['/account/notifications', '/account/security'],
      ],
    };
  }

  test('speaks to people, and stands still while it loads on a telephone', async () => {
    const receiver = await startReceiver();
    try {
      const { owner, token, pages } = await everything();
      receiver.answer = (_request, response) => response.writeHead(503).end();
      await fillWebhooks(kit.server, owner, token, receiver);
      const page = await kit.open('/sites', { as: owner, width: 360 });
      await page.addInitScript(() => {
        const found = { shift: 0, by: [] as string[] };
        Object.assign(window, { found });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as never as LayoutShift[]) {
            if (entry.hadRecentInput) continue;
            found.shift += entry.value;
            found.by.push(...entry.sources.map(({ node }) => (node as Element | null)?.className ?? ''));
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const seen = new Set<string>();
      const problems: unknown[] = [];
      const queue = [...pages];
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        if (seen.has(pageOf(path))) continue;
        seen.add(pageOf(path));
        await page.goto(`${kit.server.url}/console${path}`);
        await isRead(page);
        const { links, shift, by, ...said } = await page.evaluate(look);
        // The names of events are those that a receiver compares with.
        const text = said.text.replaceAll(/\b(consent|dsar|breach)\.[a-z_]+/g, '');
        if (shift > MOST_SHIFT) problems.push([pageOf(path), shift.toFixed(3), by.slice(0, 5)]);
        const names = (
          text.match(/\b[a-z]+(_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b|\b(settings|body|query)\.[a-z]\w*/g) ?? []
        ).filter((name) => !/[A-Z]/.test(name) || OPERATIONS.has(name));
        if (names.length > 0) problems.push([pageOf(path), [...new Set(names)]]);
        queue.push(...links.filter((link) => link.startsWith('/sites') || link.startsWith('/account')));
      }
      expect(problems).toEqual([]);
      expect(seen.size).toBeGreaterThan(35);
      // Only links lead there.
      expect([...seen]).toContain('/sites/:site/mail/:id');
      expect([...seen]).toContain('/sites/:site/consents/forms/:id');
    } finally {
      await receiver.stop();
    }
  });

  test('what is told by mail, and the pages that the mails lead to, in both directions of writing', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/mail`, { as: owner });
    await page.getByText('No mails yet').waitFor();
    await kit.look(page, 'mail-empty');
    const { request_id, verify, answer, stop } = await answered(kit.server, owner, 'ar');
    for (const [name, path, text] of [
      ['mail', `/sites/${token}/mail`, 'A request was answered'],
      ['request-files', `/sites/${token}/dsar/${request_id}`, 'Not downloaded'],
      ['settings-mail', `/sites/${token}/settings/mail`, 'Mail people who make requests'],
      ['notifications', '/account/notifications', 'Tell me about'],
      ['security-without', '/account/security', 'This session'],
      ['sign-on-none', `/sites/${token}/sign-on`, 'No provider is set up'],
    ] as const) {
      await page.goto(`${kit.server.url}/console${path}`);
      await page.getByText(text).first().waitFor();
      await isRead(page);
      await kit.look(page, name);
    }
    await page.goto(`${kit.server.url}/console/sites/${token}/mail`);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Delivery' }).waitFor();
    await kit.look(page, 'mail-text');

    const { member, unsubscribe } = await memberLinks(kit.server, owner);
    for (const [name, path] of Object.entries({ verify, answer, stop, member, unsubscribe })) {
      await page.goto(kit.server.url + path);
      await kit.look(page, `mailed-${name}`);
    }
    await page.goto(kit.server.url + answer);
    await page.getByRole('button').click();
    await page.getByRole('textbox').waitFor();
    await kit.look(page, 'mailed-code');
    await page.getByRole('textbox').fill(await mailedCode(kit.server, request_id));
    await page.getByRole('button').click();
    await page.getByText('Ihre Daten ä.csv').waitFor();
    await kit.look(page, 'mailed-files');
  });
});

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Waits until nothing is read any more, and what was read is drawn. */
async function isRead(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.loading, .progress.busy') === null);
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('.loading, .progress.busy') === null);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );
}

/** What a page says outside of code, where it leads, and how much of it has moved. */
function look() {
  const main = (document.querySelector('main') as Element).cloneNode(true) as Element;
  for (const code of main.querySelectorAll('code, pre, svg, iframe')) code.remove();
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const words: string[] = [];
  while (walker.nextNode()) words.push(walker.currentNode.textContent ?? '');
  const { found } = window as unknown as { found: { shift: number; by: string[] } };
  return {
    text: words.join(' '),
    links: [...document.querySelectorAll('a[href^="/console/"]')].map((link) =>
      (link.getAttribute('href') as string).slice('/console'.length),
    ),
    ...found,
  };
}
