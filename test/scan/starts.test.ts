import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { useServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined) console.warn('SKIPPED: no Chromium, so no page of a scan runs its script.');

const server = useServer({
  variables: { SCANS: 'public', SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
  scan: { lookup: loopbackNames },
});
const body = JSON.stringify({ url: 'http://next.test/' });
let pages: Pages;
beforeAll(async () => {
  pages = await startPages((path, response) => {
    const told = path.startsWith('/told');
    const post = (where: string) =>
      `fetch('${server.url}/api/public/cookie-scan', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(body)} })
        .then((answer) => answer.status, () => 'nothing').then((status) => fetch(location.origin + '/told/${where}/' + status));`;
    if (told) response.writeHead(204).end();
    else if (path.endsWith('.js'))
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(post(path.slice(1, -3)));
    else
      html(
        response,
        `<script>${post('page')} new Worker('/worker.js'); new SharedWorker('/shared.js');</script>`,
      );
  });
});
afterAll(() => pages.stop());

const begin = (headers: Record<string, string>) =>
  fetch(`${server.url}/api/public/cookie-scan`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });

(browser === undefined ? test.skip : test)(
  'a page that is scanned starts no scan, as it would from the address of the server',
  async () => {
    const scan = await scanToEnd(server, `http://page.test:${pages.port}/`);
    expect(scan).toMatchObject({ status: 'done', engine: 'browser' });
    const told = pages.asked.filter((path) => path.startsWith('/told')).sort();
    expect(told).toEqual(['/told/page/403', '/told/shared/403', '/told/worker/403']);
    const domains = await server.service.context.db('cookie_scans').pluck('domain');
    expect(domains).toEqual(['page.test']);
  },
);

test('whoever calls themselves a scan starts none, unless they have a login', async () => {
  const agent = { 'User-Agent': 'Mozilla/5.0 (compatible; Avow-Scan)' };
  expect((await begin(agent)).status).toBe(403);
  const { userId } = await server.site();
  const { token } = await server.service.context.tokens.issue(userId);
  expect((await begin({ ...agent, Authorization: `Bearer ${token}` })).status).toBe(202);
  await server.service.context.db('cookie_scans').delete();
  expect((await begin({})).status).toBe(202);
});
