import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { useServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so limits are tested with the http engine alone.');
const LIMITS = { totalMs: 8_000, bytes: 600_000, requests: 20, settleMs: 200, quietMs: 1_000 };
const COOKIE = { 'Content-Type': 'text/html', 'Set-Cookie': '_ga=1; Max-Age=100' };
/** Requests that never leave the browser, because no server of the web answers at this port. */
const POST =
  "const post = (n, body) => fetch('http://127.0.0.1:1/' + n, { method: 'POST', mode: 'no-cors', body }).catch(() => 0);";
/** Values that are no errors. */
const ODD = ['null', 'undefined', '7', "'x'", '{ message: 7 }', 'Object.create(null)', 'Symbol()']
  .map((value) => `<script>Promise.reject(${value}); throw ${value};</script>`)
  .join('');

/** What a connection may bring without a word to whoever reads it: how it begins, and what comes again and again. */
const SILENT: Record<string, [start: string, piece: string]> = {
  '/lines': ['', '\r\n'],
  '/spaces': ['HTTP/1.1 200 OK\r\nContent-Length:', ' '],
  '/zeros': ['HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n', '0'],
};
let sent = 0;
let pages: Pages;
beforeAll(async () => {
  pages = await startPages((path, response) => {
    if (path === '/hang') return;
    if (path === '/far')
      // A byte of it is six characters of the address.
      response.writeHead(302, { Location: `/${'\u00e9'.repeat(700)}` }).end();
    else if (path.startsWith('/step/')) response.writeHead(302, { Location: `${'s'.repeat(1_500)}/` }).end();
    else if (path.startsWith('/%C3%A9')) html(response, 'far', COOKIE);
    else if (path === '/loop') response.writeHead(302, { Location: '/loop' }).end();
    else if (path === '/missing') response.writeHead(404, { 'Content-Type': 'text/html' }).end('x');
    else if (path === '/file') response.writeHead(200, { 'Content-Type': 'application/zip' }).end('x');
    else if (path === '/reset') response.destroy();
    else if (path === '/many')
      html(response, Array.from({ length: 300 }, (_, n) => `<img src="/image${n}">`).join(''));
    else if (path === '/heavy') html(response, '<script src="/huge"></script>', COOKIE);
    else if (path === '/busy') html(response, '<script>setTimeout(() => { for (;;); }, 50)</script>', COOKIE);
    else if (path === '/talk')
      html(
        response,
        `<script>for (let n = 0; n < 50; n += 1) console.log('${'x'.repeat(50_000)}')</script>`,
        COOKIE,
      );
    else if (path === '/unsafe')
      html(response, `<script>${POST}for (let n = 0; n < 30; n += 1) post(n, '')</script>`, COOKIE);
    else if (path === '/bodies')
      html(response, `<script>${POST}post(0, 'x'.repeat(700_000))</script>`, COOKIE);
    else if (path === '/flood')
      html(response, `<script>${POST}setTimeout(() => post(0, 'x'.repeat(5_000_000)), 50)</script>`, COOKIE);
    else if (path === '/renamed')
      html(response, "<script>history.replaceState(0, '', '?' + 'x'.repeat(50_000))</script>", COOKIE);
    else if (path === '/odd') html(response, ODD, COOKIE);
    else if (path === '/throw')
      html(
        response,
        "<script>setInterval(() => { throw new Error('x'.repeat(100_000)) }, 20)</script>",
        COOKIE,
      );
    else if (path === '/drip') {
      response.writeHead(200, COOKIE);
      const timer = setInterval(() => response.write('<p>more</p>'), 50);
      response.once('close', () => clearInterval(timer));
    } else if (path === '/pieces') {
      response.writeHead(200, COOKIE).flushHeaders();
      response.socket?.write('1\r\nx\r\n'.repeat(20_000));
      response.end();
    } else if (path === '/extensions') {
      response.writeHead(200, COOKIE).flushHeaders();
      response.socket?.write(`1;${'e'.repeat(15_000)}\r\nx\r\n`.repeat(100));
      response.end();
    } else if (path in SILENT) {
      const { socket } = response;
      const [start, piece] = SILENT[path] as [string, string];
      socket?.write(start);
      const more = (): void => {
        while (sent < 20_000_000 && socket?.writable && socket.write(piece.repeat(65_536 / piece.length)))
          sent += 65_536;
      };
      socket?.on('drain', more);
      more();
    } else if (path === '/upgrade') {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    } else if (path === '/crossed') {
      const { socket } = response;
      socket?.write('\r\n'.repeat((LIMITS.bytes - 2_000) / 2));
      const more = (): void => {
        while (sent < 20_000_000 && socket?.writable && socket.write(Buffer.alloc(65_536, 'x')))
          sent += 65_536;
      };
      socket?.on('drain', more);
      setTimeout(() => {
        // The end of the header and what is over the limit come in one piece.
        socket?.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${'x'.repeat(10_000)}`);
        setTimeout(more, 200);
      }, 500);
    } else if (path === '/interim') {
      const { socket } = response;
      const more = (): void => {
        while (socket?.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
      };
      socket?.on('drain', more);
      more();
    } else if (path === '/huge') {
      response.writeHead(200, COOKIE);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, '<i>x</i>'))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    } else response.writeHead(200, { 'Content-Type': 'image/gif' }).end();
  });
});
afterAll(() => pages.stop());

describe.each(browser === undefined ? (['http'] as const) : (['http', 'browser'] as const))(
  '%s engine',
  (engine) => {
    const server = useServer({
      variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
      scan: { lookup: loopbackNames, limits: LIMITS, ...(engine === 'http' && { engine }) },
    });

    async function timed(path: string) {
      const scan = await scanToEnd(server, `http://shop.test:${pages.port}${path}`);
      const took = Date.parse(scan.finished_at as string) - Date.parse(scan.started_at as string);
      expect(took).toBeLessThan(LIMITS.totalMs + 4_000);
      return { ...scan, rules: scan.findings.map(({ rule }) => rule) };
    }

    test('a page that never answers ends in time', async () => {
      expect(await timed('/hang')).toMatchObject({
        status: 'failed',
        error: 'The page did not answer in time.',
      });
    });

    test('a page that never ends is cut short, and what was seen is told', async () => {
      const scan = await timed('/drip');
      expect(scan).toMatchObject({ status: 'done', cookies: [{ name: '_ga' }] });
      expect(scan.rules).toContain('scan_incomplete');
    });

    test('a page that is too large is cut short', async () => {
      sent = 0;
      const scan = await timed('/huge');
      // A browser that gets the limit's worth of the document at once has nothing to show yet.
      if (engine === 'http') expect(scan).toMatchObject({ status: 'done', cookies: [{ name: '_ga' }] });
      else expect(scan.error ?? scan.rules.join()).toMatch(/over the limits|scan_incomplete/);
      expect(sent).toBeLessThan(20_000_000);
    });

    test('a page in pieces of one byte is cut short: each costs memory and time of its own', async () => {
      const scan = await timed('/pieces');
      expect(scan.error ?? scan.rules.join()).toMatch(/over the limits|scan_incomplete/);
    });

    test('a page whose chunks have long extensions is cut short: what frames it is read, too', async () => {
      const scan = await timed('/extensions');
      expect(scan.error ?? scan.rules.join()).toMatch(/over the limits|scan_incomplete/);
    });

    test.each(Object.keys(SILENT))('what no parser tells of is counted: %s', async (path) => {
      sent = 0;
      const scan = await timed(path);
      expect(scan.error ?? scan.rules.join()).toMatch(/over the limits|scan_incomplete|could not be loaded/);
      expect(sent).toBeLessThan(20_000_000);
    });

    test('a page whose answer begins where the limit is reached is cut short', async () => {
      sent = 0;
      const scan = await timed('/crossed');
      expect(scan.error ?? scan.rules.join()).toMatch(/over the limits|scan_incomplete|could not be loaded/);
      expect(sent).toBeLessThan(20_000_000);
    });

    test.each([
      ['/loop', /could not be loaded/],
      ['/interim', /could not be loaded/],
      ['/upgrade', /could not be loaded/],
      ['/missing', /answered 404/],
      ['/file', /not an HTML page/],
      ['/reset', /could not be loaded/],
    ])('a page that is none fails with the reason: %s', async (path, error) => {
      expect(await timed(path)).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(error),
        cookies: [],
      });
    });

    if (engine === 'http') {
      test.each([
        ['/far', 1],
        ['/step/', 3],
      ])(
        'a redirect to an address that is too long is not followed, and the reason told: %s',
        async (path, hops) => {
          const before = pages.asked.length;
          expect(await timed(path)).toMatchObject({
            status: 'failed',
            error: 'The page leads to an address that is too long: a scan follows up to 4,096 characters.',
          });
          const asked = pages.asked.slice(before);
          expect(asked).toHaveLength(hops);
          for (const one of asked) expect(one.length).toBeLessThanOrEqual(4_096);
        },
      );
    }

    if (engine === 'browser') {
      test('a page that makes its address long is scanned', async () => {
        expect(await timed('/renamed')).toMatchObject({ status: 'done', cookies: [{ name: '_ga' }] });
      });

      test('a page that loads too much is cut short, and what was seen is told', async () => {
        const scan = await timed('/heavy');
        expect(scan).toMatchObject({ status: 'done', cookies: [{ name: '_ga' }] });
        expect(scan.findings.find(({ rule }) => rule === 'scan_incomplete')?.message).toContain('10 MiB');
      });

      test('a page with too many requests is cut short', async () => {
        const before = pages.asked.length;
        expect((await timed('/many')).rules).toContain('scan_incomplete');
        expect(pages.asked.length - before).toBeLessThanOrEqual(LIMITS.requests);
      });

      test.each(['/unsafe', '/bodies'])(
        'requests that never leave the browser count, with their bodies: %s',
        async (path) => {
          expect((await timed(path)).rules).toContain('scan_incomplete');
        },
      );

      test('a page that floods this process through its browser is ended', async () => {
        expect((await timed('/flood')).error).toMatch(/over the limits/);
      });

      test('a page may throw anything', async () => {
        expect((await timed('/odd')).rules).not.toContain('scan_incomplete');
      });

      test('what a page writes to its console stays there, and what it throws counts', async () => {
        expect((await timed('/talk')).rules).not.toContain('scan_incomplete');
        expect((await timed('/throw')).rules).toContain('scan_incomplete');
      });

      test('a page that keeps its thread busy ends in time', async () => {
        expect(await timed('/busy')).toMatchObject({ status: 'done', cookies: [{ name: '_ga' }] });
      });
    }
  },
);
