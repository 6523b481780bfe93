import type { BrowserContext, Page } from 'playwright-core';
import { MAX_HOSTS, MAX_SEEN_COOKIES } from '../../domain/cookies/result';
import { webUrl } from '../../domain/web-address';
import { within } from '../../net/abortable';
import { hostOf } from '../../net/target';
import type { BrowserCookie, DriverLimits, Seen, Task } from '../driver-messages';
import { NO_ANSWER, NOT_IN_TIME, ScanFailure, TOO_LARGE } from '../failure';
import { MAX_ADDRESS } from '../redirect';
import type { Meter } from './meter';
import { calm, heldHosts, isBlank, open, probe } from './navigation';
import { readStorage } from './stored-items';

/** How many times a limit the browser may tell: it tells on until the result is read. Beyond, it is ended at once. */
const FLOOD = { requests: 25, bytes: 8 };

/** Visits a page and reads what it left in the browser; `end` ends a browser that floods this process. */
export async function visit(
  context: BrowserContext,
  { url, limits }: Task,
  meter: Meter,
  end: () => void,
): Promise<Seen> {
  const wait = limits.reserveMs / 2;
  const hosts = watch(context, meter, limits, end);
  await context.addInitScript(silence);
  const page = context.pages()[0] ?? (await context.newPage());
  const devtools = await context.newCDPSession(page);
  await open(page, url, meter);
  let isCrashed = false;
  page.on('crash', () => {
    isCrashed = true;
  });
  await calm(page, limits, meter.signal);
  // The page exceeded its memory limit.
  if (isCrashed) throw new ScanFailure(TOO_LARGE);
  const [hasBanner, blank, held] = await Promise.all([
    probe(page, wait),
    isBlank(page, wait),
    heldHosts(page, wait),
  ]);
  const last = webUrl(page.url());
  if (last === undefined) throw new ScanFailure(NO_ANSWER);
  // All of the visit, third parties' and HttpOnly ones too; the library's own list hides whether SameSite was
  // said.
  const [stored, { items, cut }] = await Promise.all([
    within(devtools.send('Network.getAllCookies'), AbortSignal.timeout(wait)),
    readStorage(context, page, devtools, wait),
  ]);
  if (stored === undefined) throw new ScanFailure(NOT_IN_TIME);
  const { cookies } = stored;
  return {
    // A page's scripts make it as long as they like; what counts is where it is.
    finalUrl: last.href.length > MAX_ADDRESS ? `${last.origin}/` : last.href,
    // Without their values; no more are reported.
    cookies: cookies.slice(0, MAX_SEEN_COOKIES).map(told),
    items,
    itemsCut: cut || cookies.length > MAX_SEEN_COOKIES,
    hosts: [...hosts],
    held,
    hasBanner,
    blank,
  };
}

/**
 * Records the hosts that the page contacts, and counts what the browser tells: all of it comes whole into this
 * process, with the bodies of requests. A page that floods it is ended by `end`.
 */
function watch(context: BrowserContext, meter: Meter, limits: DriverLimits, end: () => void): Set<string> {
  const hosts = new Set<string>();
  let requests = 0;
  let bytes = 0;
  const hear = (length: number): void => {
    bytes += length;
    if (requests > FLOOD.requests * limits.requests || bytes > FLOOD.bytes * limits.bytes) end();
  };
  const take = (length: number): void => {
    meter.takeBytes(length);
    hear(length);
  };
  const note = (address: string): void => {
    const url = hosts.size < MAX_HOSTS ? webUrl(address) : undefined;
    if (url !== undefined) hosts.add(hostOf(url));
  };
  context.on('request', (request) => {
    const address = request.url();
    hear(address.length);
    if (!/^https?:/.test(address)) return;
    note(address);
    requests += 1;
    meter.tellRequest();
    const body = request.postDataBuffer()?.length ?? 0;
    if (body > 0) take(body);
  });
  context.on('console', (message) => take(message.text().length));
  // A page may throw anything, and nothing may be thrown here for it.
  context.on('weberror', (problem) => take(String(problem.error()?.message).length));
  const listen = (page: Page): void => {
    page.on('websocket', (socket) => note(socket.url().replace(/^ws/, 'http')));
  };
  context.pages().forEach(listen);
  context.on('page', listen);
  return hosts;
}

/** Runs in each page before its scripts: what it would write to its console stays there. */
function silence(): void {
  const own = console as unknown as Record<string, unknown>;
  for (const name of Object.keys(own)) if (typeof own[name] === 'function') own[name] = () => undefined;
}

const told = ({ name, domain, expires, secure, httpOnly, sameSite }: BrowserCookie): BrowserCookie => ({
  ...{ name, domain, expires, secure, httpOnly },
  ...(sameSite === undefined ? {} : { sameSite }),
});
