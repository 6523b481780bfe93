import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clock } from '../domain/clock';
import { servesBanner } from '../domain/cookies/classification';
import { keepHosts } from '../domain/cookies/held-hosts';
import type { Observation, SeenCookie } from '../domain/cookies/result';
import type { Policy } from '../net/policy';
import { userAgentOf } from './browser-environment';
import { connectorOf } from './connect';
import { drive, type Told } from './drive';
import type { BrowserCookie, Task } from './driver-messages';
import { NOT_IN_TIME, NoBrowser, ScanFailure, TOO_LARGE } from './failure';
import { Budget, type ScanLimits } from './limits';
import { type ScanProxy, startProxy } from './proxy';

export interface Visit {
  policy: Policy;
  limits: ScanLimits;
  /** Ends the visit without a result: the process stops. */
  stopped: AbortSignal;
  /** Off: the browser runs without its sandbox, as this process does. */
  sandbox: boolean;
}

/** The programs of a visit: the browser, and what drives it. */
export interface Programs {
  program: string;
  driver: string;
}

/**
 * Visits a page with a browser as a new visitor who does not answer the banner. The browser is driven by a
 * process of its own; its only way out is the proxy of this one. Throws `ScanFailure` and `NoBrowser`.
 */
export async function visitByBrowser(
  url: string,
  { program, driver }: Programs,
  { policy, limits, stopped, sandbox }: Visit,
): Promise<Observation> {
  const reserveMs = Math.min(5_000, limits.totalMs / 4);
  const budget = new Budget(limits, reserveMs, stopped);
  const connect = connectorOf(policy, budget);
  let proxy: ScanProxy | undefined;
  let folder: string | undefined;
  try {
    proxy = await startProxy(connect, budget);
    folder = await mkdtemp(join(tmpdir(), 'avow-scan-'));
    const { server, username, password } = proxy;
    const task: Task = {
      ...{ url, program, folder, sandbox },
      temporary: tmpdir(),
      proxy: { server, username, password },
      userAgent: await userAgentOf(program),
      limits: { ...limits, reserveMs },
    };
    return observation(await drive(driver, task, budget), proxy);
  } finally {
    budget.release();
    proxy?.close();
    // Without its processes nothing is written there any more.
    if (folder !== undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** What a driver's answer says of the page. Throws `ScanFailure` and `NoBrowser`. */
function observation({ answer, reached }: Told, proxy: ScanProxy): Observation {
  if ('unusable' in answer) throw new NoBrowser(answer.unusable);
  if ('broken' in answer) throw new Error(answer.broken);
  if ('failed' in answer) {
    const { failed, host } = answer;
    // The connections of a visit end with its limit, which the driver may hear of later.
    if (host !== undefined && reached !== undefined)
      throw new ScanFailure(reached === 'time' ? NOT_IN_TIME : TOO_LARGE);
    throw new ScanFailure(proxy.failures.get(host ?? '') ?? failed);
  }
  const { hasBanner, cookies, held, ...seen } = answer.seen;
  return {
    ...seen,
    engine: 'browser',
    held: Array.isArray(held) ? keepHosts(held) : [],
    cookies: cookies.map(seenCookie),
    bannerDetected: hasBanner || seen.hosts.some(servesBanner),
    cutShort: reached,
  };
}

const seenCookie = ({ name, domain, expires, secure, httpOnly, sameSite }: BrowserCookie): SeenCookie => ({
  name,
  domain: domain.replace(/^\./, ''),
  maxAgeSeconds: expires < 0 ? 0 : Math.max(0, Math.round(expires - clock.now() / 1000)),
  secure,
  httpOnly,
  sameSite: sameSite ?? null,
});
