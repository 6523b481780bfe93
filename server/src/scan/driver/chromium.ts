import type * as Playwright from 'playwright-core';
import { within } from '../../net/abortable';
import { browserEnvironment } from '../browser-environment';
import type { Task } from '../driver-messages';
import { endGroup, isGroup } from '../groups';
import { confine } from './confine';

/** The library that controls the browser; undefined when it is not installed. */
export function loadPlaywright(): typeof Playwright | undefined {
  try {
    return require('playwright-core') as typeof Playwright;
  } catch {
    return undefined;
  }
}

const FLAGS = [
  // Loopback too goes through the proxy, and no name is ever resolved by the browser.
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // No way around the proxy: HTTP/3 and WebRTC use UDP.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // No traffic of the browser's own.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
  '--no-first-run',
  '--disable-gpu',
  // Limit of each page and worker, in MiB; the whole browser has its own limit.
  '--js-flags=--max-old-space-size=512',
];

/** Defaults of the library that make a visit less like a visitor's, or weaken the browser. */
const UNWANTED = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
];

/**
 * Third-party cookies are allowed: Chromium from distributions blocks them, but most visitors' browsers do
 * not.
 */
const PREFERENCES = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

/** How long a browser may take to end by itself, in milliseconds. */
const CLOSE_MS = 3_000;

export interface Browser {
  context: Playwright.BrowserContext;
  /** The group of its processes. */
  group: number;
  /** Ends its processes at once. */
  kill(): void;
  /** Ends the browser with all of its processes, and removes its profile; never fails. */
  close(): Promise<void>;
}

/** How a browser is started. */
export type Start = Omit<Task, 'url'>;

/** Starts a browser with an empty profile whose only way out is the proxy. */
export async function launch({ chromium }: typeof Playwright, start: Start): Promise<Browser> {
  const { program, folder, sandbox, userAgent, limits } = start;
  const { memoryMb } = limits;
  const confined = await confine(program, PREFERENCES, { sandbox, memoryMb, folder });
  const { profile, remove } = confined;
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: confined.program,
      headless: true,
      chromiumSandbox: confined.sandbox,
      // The context's own reaches no shared worker.
      args: [...FLAGS, `--user-agent=${userAgent}`],
      ignoreDefaultArgs: UNWANTED,
      proxy: start.proxy,
      env: browserEnvironment(profile, start.temporary),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: limits.totalMs,
      acceptDownloads: false,
      userAgent,
    });
    const group = await confined.group().catch(() => 0);
    const close = async (): Promise<void> => {
      const closed = context.close().catch(() => undefined);
      await within(closed, AbortSignal.timeout(CLOSE_MS));
      // The library waits for a browser that does not answer as long as this process lives.
      endGroup(group);
      await remove();
    };
    if (isGroup(group)) return { context, group, kill: () => endGroup(group), close };
    await close();
    throw new Error("the browser's processes cannot be watched");
  } catch (error) {
    endGroup(await confined.group().catch(() => 0));
    await remove();
    throw error;
  }
}
