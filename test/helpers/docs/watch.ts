import type { Page } from 'playwright-core';

/** Everything that a page should never do: ask another host, break its policy, fail in a script. */
export function watch(page: Page, origin: string): string[] {
  const wrong: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('blob:'))
      wrong.push(`asked ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 400 && response.url().includes('/docs/'))
      wrong.push(`${response.status()} ${response.url()}`);
  });
  return wrong;
}
