import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';

/** Set by the global set-up for every test process: who answers with the address of the run's browser. */
export const SHARED_BROWSER = 'AVOW_TEST_BROWSER';

/**
 * Offers one browser to all suites of a run, because starting one costs more than most tests. It is started when
 * the first suite asks for it.
 */
export async function offerBrowser(launch: () => Promise<BrowserServer>): Promise<() => Promise<void>> {
  let started: Promise<BrowserServer> | undefined;
  const server = createServer((_request, response) => {
    started ??= launch();
    started.then(
      (browser) => response.end(browser.wsEndpoint()),
      (error: Error) => {
        started = undefined;
        response.writeHead(500).end(error.message);
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A run that is over must not wait for it.
  server.unref();
  process.env[SHARED_BROWSER] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    const browser = await started?.catch(() => undefined);
    await browser?.close();
  };
}

/** The address of the run's browser. */
export async function sharedBrowser(): Promise<string> {
  const response = await fetch(process.env[SHARED_BROWSER] as string);
  const text = await response.text();
  if (!response.ok) throw new Error(`The browser did not start: ${text}`);
  return text;
}
