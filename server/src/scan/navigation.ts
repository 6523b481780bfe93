import type { Page, Response } from 'playwright-core';
import { within } from '../net/abortable';
import { hostOf } from '../net/target';
import { BANNER_PROBE } from './banner-probe';
import { answered, BAD_TLS, NO_ANSWER, NOT_HTML, NOT_IN_TIME, ScanFailure, TOO_LARGE } from './failure';
import type { Budget, ScanLimits } from './limits';
import type { ScanProxy } from './proxy';

/** Goes to the page until its document begins to come. Throws `ScanFailure`. */
export async function open(page: Page, url: string, proxy: ScanProxy, budget: Budget): Promise<void> {
  let last = url;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = request.url();
  });
  const excuse = (otherwise: string): ScanFailure =>
    new ScanFailure(proxy.failures.get(URL.canParse(last) ? hostOf(new URL(last)) : '') ?? otherwise);
  let response: Response | null | undefined;
  try {
    response = await within(page.goto(url, { waitUntil: 'commit', timeout: 0 }), budget.signal);
  } catch (error) {
    const text = String(error);
    throw excuse(
      /ERR_CERT|ERR_SSL/.test(text) ? BAD_TLS : /Download is starting/.test(text) ? NOT_HTML : NO_ANSWER,
    );
  }
  if (budget.reached !== undefined && !response)
    throw new ScanFailure(budget.reached === 'time' ? NOT_IN_TIME : TOO_LARGE);
  if (!response) throw new ScanFailure(NO_ANSWER);
  if (response.status() === 502) throw excuse(answered(502));
  if (response.status() >= 400) throw new ScanFailure(answered(response.status()));
  const type = response.headers()['content-type'] ?? 'text/html';
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(type)) throw new ScanFailure(NOT_HTML);
}

/** Until the page has loaded and become quiet, or a limit is reached. */
export async function calm(
  page: Page,
  { quietMs, settleMs }: ScanLimits,
  signal: AbortSignal,
): Promise<void> {
  await within(page.waitForLoadState('load', { timeout: 0 }), signal).catch(() => undefined);
  if (signal.aborted) return;
  const settled = new Promise<void>((resolve) => setTimeout(resolve, settleMs));
  const quiet = page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => undefined);
  await within(Promise.all([settled, quiet]), signal);
}

/** A page that never becomes idle does not answer; its banner cannot be used either. */
export async function probe(page: Page, milliseconds: number): Promise<boolean> {
  const found = await within(page.evaluate(BANNER_PROBE), AbortSignal.timeout(milliseconds)).catch(
    () => false,
  );
  return found === true;
}
