import type { BrowserContext, Page } from 'playwright-core';
import { clock } from '../domain/clock';
import { servesBanner } from '../domain/cookies/classification';
import { MAX_HOSTS, type Observation, type SeenCookie } from '../domain/cookies/result';
import { within } from '../net/abortable';
import type { Policy } from '../net/policy';
import { hostOf } from '../net/target';
import { type Browser, launch, loadPlaywright } from './chromium';
import { connectorOf } from './connect';
import { NO_ANSWER, NOT_IN_TIME, ScanFailure, TOO_LARGE } from './failure';
import { Budget, type ScanLimits } from './limits';
import { boundMemory } from './memory';
import { calm, open, probe } from './navigation';
import { type ScanProxy, startProxy } from './proxy';
import { readStorage } from './stored-items';

export interface Visit {
  policy: Policy;
  limits: ScanLimits;
  /** Ends the visit without a result: the process stops. */
  stopped: AbortSignal;
  /** Off: the browser runs without its sandbox, as this process does. */
  sandbox: boolean;
}

/** The library or the browser cannot be used here: the other engine takes over. */
export class NoBrowser extends Error {}

/**
 * Visits a page with a browser as a new visitor who does not answer the banner. Throws `ScanFailure` and
 * `NoBrowser`.
 */
export async function visitByBrowser(
  url: string,
  program: string,
  { policy, limits, stopped, sandbox }: Visit,
): Promise<Observation> {
  const playwright = loadPlaywright();
  if (playwright === undefined) throw new NoBrowser('playwright-core is not installed');
  const reserve = Math.min(5_000, limits.totalMs / 4);
  const budget = new Budget(limits, reserve, stopped);
  const connect = connectorOf(policy, budget);
  let proxy: ScanProxy | undefined;
  let browser: Browser | undefined;
  let unwatch = (): void => undefined;
  let isTooLarge = false;
  try {
    proxy = await startProxy(connect, budget);
    browser = await launch(playwright, { program, proxy, sandbox, limits }).catch((error: Error) => {
      throw new NoBrowser(error.message.split('\n', 1)[0]);
    });
    unwatch = boundMemory(browser.group, limits.memoryMb * 1024 * 1024, () => {
      isTooLarge = true;
    });
    return await visit(browser.context, url, proxy, budget, limits, reserve);
  } catch (error) {
    throw isTooLarge ? new ScanFailure(TOO_LARGE) : error;
  } finally {
    unwatch();
    budget.release();
    proxy?.close();
    await browser?.close();
  }
}

async function visit(
  context: BrowserContext,
  url: string,
  proxy: ScanProxy,
  budget: Budget,
  limits: ScanLimits,
  reserve: number,
): Promise<Observation> {
  const hosts = watch(context, budget);
  await context.addInitScript(silence);
  const page = context.pages()[0] ?? (await context.newPage());
  const devtools = await context.newCDPSession(page);
  await open(page, url, proxy, budget);
  let isCrashed = false;
  page.on('crash', () => {
    isCrashed = true;
  });
  await calm(page, limits, budget.signal);
  // The page exceeded its memory limit.
  if (isCrashed) throw new ScanFailure(TOO_LARGE);
  const bannerDetected = (await probe(page, reserve / 2)) || [...hosts].some(servesBanner);
  const finalUrl = page.url();
  if (!/^https?:/.test(finalUrl)) throw new ScanFailure(NO_ANSWER);
  // All of the visit, third parties' and HttpOnly ones too; the library's own list hides whether SameSite was
  // said.
  const [stored, { items, cut }] = await Promise.all([
    within(devtools.send('Network.getAllCookies'), AbortSignal.timeout(reserve / 2)),
    readStorage(context, page, devtools, reserve / 2),
  ]);
  if (stored === undefined) throw new ScanFailure(NOT_IN_TIME);
  const { cookies } = stored;
  return {
    engine: 'browser',
    finalUrl,
    cookies: cookies.map(seenCookie),
    items,
    itemsCut: cut,
    hosts: [...hosts],
    bannerDetected,
    cutShort: budget.reached,
  };
}

/**
 * Records the hosts that the page contacts. Requests inside tunnels are counted here, the others by the
 * proxy.
 */
function watch(context: BrowserContext, budget: Budget): Set<string> {
  const hosts = new Set<string>();
  const note = (address: string): void => {
    if (hosts.size < MAX_HOSTS && URL.canParse(address)) hosts.add(hostOf(new URL(address)));
  };
  context.on('request', (request) => {
    const address = request.url();
    if (!/^https?:/.test(address)) return;
    note(address);
    if (address.startsWith('https:')) budget.takeRequest();
  });
  // What a page says comes whole into this process.
  context.on('console', (message) => budget.takeBytes(message.text().length));
  // A page may throw anything, and nothing may be thrown here for it.
  context.on('weberror', (problem) => budget.takeBytes(String(problem.error()?.message).length));
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

interface BrowserCookie {
  name: string;
  domain: string;
  /** Seconds since 1970; -1 for a session cookie. */
  expires: number;
  secure: boolean;
  httpOnly: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

const seenCookie = ({ name, domain, expires, secure, httpOnly, sameSite }: BrowserCookie): SeenCookie => ({
  name,
  domain: domain.replace(/^\./, ''),
  maxAgeSeconds: expires < 0 ? 0 : Math.max(0, Math.round(expires - clock.now() / 1000)),
  secure,
  httpOnly,
  sameSite: sameSite ?? null,
});
