import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../server/src/scan/find-chromium';
import { loopbackNames, scanToEnd } from '../helpers/browser/pages';
import { startServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
let site: Server;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-tls-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const subject = ['-subj', '/CN=shop.test', '-addext', 'subjectAltName=DNS:shop.test'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    ],
    { stdio: 'ignore' },
  );
  site = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end('x'),
  );
  rmSync(folder, { recursive: true });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => site.close(resolve)));

test.each(browser === undefined ? (['http'] as const) : (['http', 'browser'] as const))(
  'a certificate that nobody vouches for is a failure with its reason: %s engine',
  async (engine) => {
    const server = await startServer({
      variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
      scan: { lookup: loopbackNames, ...(engine === 'http' && { engine }) },
    });
    try {
      const { port } = site.address() as AddressInfo;
      const scan = await scanToEnd(server, `https://shop.test:${port}/`);
      expect(scan).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('TLS certificate'),
        cookies: [],
      });
    } finally {
      await server.stop();
    }
  },
);
