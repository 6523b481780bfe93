import type { Page } from 'playwright-core';

/**
 * The browser's own line for an answer of the API that is no success: the console shows those to the person.
 */
const REFUSED = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;
const OUTAGE = /net::ERR_/;

/** Reports what must never happen on a page: errors, breaches of its policy, requests to another host. */
export async function watch(
  page: Page,
  own: string,
  report: (problem: string) => void,
  isOutage: () => boolean,
  isElsewhere: (url: string) => boolean = () => false,
): Promise<void> {
  page.on('pageerror', (error) => report(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (isElsewhere(message.location().url)) return;
    const isRefusal = REFUSED.test(message.text()) && message.location().url.includes('/api/');
    if (!isRefusal && !(isOutage() && OUTAGE.test(message.text()))) report(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${own}/`) && !/^(data|blob|about):/.test(url) && !isElsewhere(url))
      report(`request to ${url}`);
  });
  await page.exposeFunction('reportBreach', (text: string) => report(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const { reportBreach } = window as unknown as { reportBreach(text: string): void };
      reportBreach(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
}
