import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as Playwright from 'playwright-core';
import type { ScanProxy } from './proxy';

/** The library that speaks to the browser; undefined where it is not installed. Loaded by the first scan, since it is large. */
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
];

/** Defaults of the library that make a visit less like a visitor's, or weaken the browser. */
const UNWANTED = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
];

/** Third-party cookies are let through: Chromium as distributions ship it blocks them, and most visitors' browsers do not. */
const PREFERENCES = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

export interface Browser {
  context: Playwright.BrowserContext;
  /** Ends the browser and removes its profile; never fails. */
  close(): Promise<void>;
}

/** Starts a browser with an empty profile whose only way out is the proxy. */
export async function launch(
  { chromium }: typeof Playwright,
  program: string,
  { server, username, password }: ScanProxy,
  timeout: number,
): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'avow-scan-'));
  const remove = (): Promise<void> =>
    rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  try {
    await mkdir(join(profile, 'Default'));
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
    const agent = await userAgentOf(program);
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: program,
      headless: true,
      // Chromium refuses to run as root with its sandbox: run the service as another user.
      chromiumSandbox: process.getuid?.() !== 0,
      args: FLAGS,
      ignoreDefaultArgs: UNWANTED,
      proxy: { server, username, password },
      env: environmentOf(profile),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout,
      acceptDownloads: false,
      ...(agent === undefined ? {} : { userAgent: agent }),
    });
    return {
      context,
      close: () =>
        context
          .close()
          .catch(() => undefined)
          .then(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Not ours: it holds the database's address and the keys. */
const environmentOf = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
});

let agent: Promise<string | undefined> | undefined;

/** Chromium's own but for the word Headless: sites treat that one as a robot and show it no banner. */
function userAgentOf(program: string): Promise<string | undefined> {
  agent ??= promisify(execFile)(program, ['--version'], {
    env: environmentOf(tmpdir()),
    timeout: 10_000,
  }).then(
    ({ stdout }) => {
      const major = / (\d+)\.\d+\.\d+/.exec(stdout)?.[1];
      return major === undefined
        ? undefined
        : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
    },
    () => undefined,
  );
  return agent;
}
