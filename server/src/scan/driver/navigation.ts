import type { Page, Response } from 'playwright-core';
import { readHosts } from '../../domain/cookies/held-hosts';
import { webUrl } from '../../domain/web-address';
import { within } from '../../net/abortable';
import { hostOf } from '../../net/target';
import { BANNER_PROBE, BLANK_PROBE, HELD_PROBE } from '../banner-probe';
import type { DriverLimits } from '../driver-messages';
import { answered, BAD_TLS, NO_ANSWER, NOT_HTML, NOT_IN_TIME, ScanFailure, TOO_LARGE } from '../failure';
import type { Meter } from './meter';

/** A navigation that ended at a host: the server's proxy may know better why. */
export class NavigationFailure extends ScanFailure {
  constructor(
    message: string,
    readonly host: string,
  ) {
    super(message);
  }
}

/** Goes to the page until its document begins to come. Throws `ScanFailure`. */
export async function open(page: Page, url: string, meter: Meter): Promise<void> {
  let last = url;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = request.url();
  });
  const excuse = (otherwise: string): ScanFailure => {
    const to = webUrl(last);
    return new NavigationFailure(otherwise, to === undefined ? '' : hostOf(to));
  };
  let response: Response | null | undefined;
  try {
    response = await within(page.goto(url, { waitUntil: 'commit', timeout: 0 }), meter.signal);
  } catch (error) {
    const text = String(error);
    throw excuse(
      /ERR_CERT|ERR_SSL/.test(text) ? BAD_TLS : /Download is starting/.test(text) ? NOT_HTML : NO_ANSWER,
    );
  }
  if (meter.reached !== undefined && !response)
    throw new ScanFailure(meter.reached === 'time' ? NOT_IN_TIME : TOO_LARGE);
  if (!response) throw new ScanFailure(NO_ANSWER);
  if (response.status() === 502) throw excuse(answered(502));
  if (response.status() >= 400) throw new ScanFailure(answered(response.status()));
  const type = response.headers()['content-type'] ?? 'text/html';
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(type)) throw new ScanFailure(NOT_HTML);
}

/** Until the page has loaded and become quiet, or a limit is reached. */
export async function calm(
  page: Page,
  { quietMs, settleMs }: DriverLimits,
  signal: AbortSignal,
): Promise<void> {
  await within(page.waitForLoadState('load', { timeout: 0 }), signal).catch(() => undefined);
  if (signal.aborted) return;
  const settled = new Promise<void>((resolve) => setTimeout(resolve, settleMs));
  const quiet = page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => undefined);
  await within(Promise.all([settled, quiet]), signal);
}

/** A page that never becomes idle does not answer; its banner cannot be used either. */
export const probe = (page: Page, milliseconds: number): Promise<boolean> =>
  tells(page, BANNER_PROBE, milliseconds);

/** One that does not answer is not called blank. */
export const isBlank = (page: Page, milliseconds: number): Promise<boolean> =>
  tells(page, BLANK_PROBE, milliseconds);

/** None where the page has no such banner, or does not answer. */
export async function heldHosts(page: Page, milliseconds: number): Promise<string[]> {
  const found = await within(page.evaluate(HELD_PROBE), AbortSignal.timeout(milliseconds)).catch(() => '[]');
  return readHosts(found);
}

async function tells(page: Page, question: string, milliseconds: number): Promise<boolean> {
  const found = await within(page.evaluate(question), AbortSignal.timeout(milliseconds)).catch(() => false);
  return found === true;
}
