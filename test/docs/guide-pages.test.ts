import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { html, type Pages, startPages } from '../helpers/browser/pages';
import { startServer, type TestServer } from '../helpers/server';
import { samplesIn } from './guide-files';

// What guides put into pages, in a real browser, on another origin than the server's.
jest.setTimeout(120_000);

describeInBrowser('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let pages: Pages;
  let body = '';
  beforeAll(async () => {
    server = await startServer();
    browser = await openBrowser();
    pages = await startPages((_path, response) => html(response, body));
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.stop();
    await server?.stop();
  });

  test.each(samplesIn('html'))('$place is read as it is written', async ({ code }) => {
    const written = Array.from(code.matchAll(/<([a-z][a-z0-9-]*)[\s>]/g), ([, name = '']) => name);
    const closed = Array.from(code.matchAll(/<\/([a-z0-9-]+)>/g), ([, name = '']) => name);
    const page = await browser.newPage({ javaScriptEnabled: true });
    const found = await page.evaluate((text) => {
      // What is inside of a template is no part of the page.
      const namesIn = (part: ParentNode): string[] =>
        [...part.querySelectorAll('*')].flatMap((element) => [
          element.localName,
          ...(element instanceof HTMLTemplateElement ? namesIn(element.content) : []),
        ]);
      return namesIn(new DOMParser().parseFromString(text, 'text/html'));
    }, code);
    await page.close();
    const count = (names: string[], name: string): number => names.filter((one) => one === name).length;
    for (const name of new Set(written))
      expect([name, count(found, name)]).toEqual([name, count(written, name)]);
    const VOID = ['meta', 'link', 'img', 'input', 'br'];
    expect(closed.sort()).toEqual(written.filter((name) => !VOID.includes(name)).sort());
  });

  test('the form for requests of data subjects sends one, and says by when it is answered', async () => {
    const { client, token } = await server.site();
    const markup = samplesIn('html').find(({ code }) => code.includes('privacy-request'))?.code ?? '';
    const program = samplesIn('ts').find(({ code }) => code.includes('#privacy-request'))?.code ?? '';
    const here = program
      .replace('https://consent.example.com', server.url)
      .replace(/env_[0-9A-Za-z]{22}/, token);
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    const script = ts.transpileModule(here, { compilerOptions: options }).outputText;
    body = `${markup}<script type="module">${script}</script>`;
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${pages.port}/`);
    await page.selectOption('select', 'erasure');
    await page.fill('input', 'visitor@example.com');
    await page.click('button');
    await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent !== '');
    const { items } = await client.listDsar({ token });
    expect(items).toMatchObject([{ request_type: 'erasure', email: 'visitor@example.com', message: null }]);
    const due = items[0]?.due_at.slice(0, 10);
    expect(await page.textContent('[role=status]')).toBe(`Received. We answer by ${due}.`);
    await page.close();
  });
});
