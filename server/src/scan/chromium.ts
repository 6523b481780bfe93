import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import type * as Playwright from 'playwright-core';
import { SCAN_AGENT } from '../domain/analytics';
import { within } from '../net/abortable';
import { confine } from './confine';
import type { ScanLimits } from './limits';
import type { ScanProxy } from './proxy';

/**
 * The library that controls the browser; undefined when it is not installed. Loaded by the first scan,
 * because it is large.
 */
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
  /** Ends the browser with all of its processes, and removes its profile; never fails. */
  close(): Promise<void>;
}

/** How a browser is started. */
export interface Start {
  program: string;
  proxy: ScanProxy;
  sandbox: boolean;
  limits: ScanLimits;
}

/** Starts a browser with an empty profile whose only way out is the proxy. */
export async function launch({ chromium }: typeof Playwright, start: Start): Promise<Browser> {
  const { program, sandbox, limits } = start;
  const { server, username, password } = start.proxy;
  const agent = await userAgentOf(program);
  const confined = await confine(program, PREFERENCES, { sandbox, memoryMb: limits.memoryMb });
  const { profile, remove } = confined;
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: confined.program,
      headless: true,
      chromiumSandbox: confined.sandbox,
      args: FLAGS,
      ignoreDefaultArgs: UNWANTED,
      proxy: { server, username, password },
      env: environmentOf(profile),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: limits.totalMs,
      acceptDownloads: false,
      ...(agent === undefined ? {} : { userAgent: agent }),
    });
    const group = await confined.group().catch(() => 0);
    const close = async (): Promise<void> => {
      const closed = context.close().catch(() => undefined);
      await within(closed, AbortSignal.timeout(CLOSE_MS));
      // The library waits for a browser that does not answer as long as this process lives.
      endGroup(group);
      await remove();
    };
    if (isGroup(group)) return { context, group, close };
    await close();
    throw new Error("the browser's processes cannot be watched");
  } catch (error) {
    endGroup(await confined.group().catch(() => 0));
    await remove();
    throw error;
  }
}

/** Whether a group of processes is there, and can be ended with all that the browser starts. */
function isGroup(group: number): boolean {
  try {
    return group > 1 && process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** Ends what is left of a group: the browser and its children. */
function endGroup(group: number): void {
  // 0 is this process's own group, and -1 everybody's.
  if (isGroup(group)) process.kill(-group, 'SIGKILL');
}

/** Not ours: it holds the database's address and the keys. */
const environmentOf = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
});

let agent: Promise<string | undefined> | undefined;

/**
 * Chromium's own without the word Headless, for which sites show no banner, and with a word by which an Avow
 * server recognises a scan.
 */
function userAgentOf(program: string): Promise<string | undefined> {
  agent ??= promisify(execFile)(program, ['--version'], {
    env: environmentOf(tmpdir()),
    timeout: 10_000,
  }).then(
    ({ stdout }) => {
      const major = / (\d+)\.\d+\.\d+/.exec(stdout)?.[1];
      return major === undefined
        ? undefined
        : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36 ${SCAN_AGENT}/1.0`;
    },
    () => undefined,
  );
  return agent;
}
