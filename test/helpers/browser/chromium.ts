import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** Without them, the browser speaks to hosts of its maker by itself. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/**
 * Chromium heeds only the last of these lists, so that this one repeats its driver's. The last ones are
 * the address bar's popups, pages of their own for each window, and a process kept ready for the next page:
 * nobody sees them here, and they cost more than most tests.
 */
const DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
];

/** Where the browser is on this machine. */
export const chromiumPath = PLACES.find((place) => place !== undefined && existsSync(place));

/** Chromium without windows, which Debian has as a package of its own: the same engine at half the cost. */
const SHELLS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell'];
const shellPath = SHELLS.find((place) => place !== undefined && existsSync(place)) ?? chromiumPath;

const flags = (args: string[]): string[] => [
  ...CHROMIUM_FLAGS,
  `--disable-features=${DISABLED_FEATURES.join()}`,
  ...args,
];

/** The Chromium that all suites of a run share. */
export const serveChromium = (): Promise<BrowserServer> =>
  chromium.launchServer({ executablePath: shellPath as string, args: flags([]) });

/** A real Chromium of the suite's own; `without` names flags that its driver adds by itself. */
export const launchBrowser = (args: string[] = [], without: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath as string,
    args: flags(args),
    ignoreDefaultArgs: without,
  });
