import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserServer, type BrowserType, firefox } from 'playwright-core';

/** The engine that suites of browsers run in; Chromium unless TEST_ENGINE names the other one. */
export type Engine = 'chromium' | 'firefox';

const PLACES = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Where Firefox is on this machine. */
export const firefoxPath = PLACES.find((place) => place !== undefined && existsSync(place));

export const engine: Engine = process.env.TEST_ENGINE === 'firefox' ? 'firefox' : 'chromium';

/** A stock Firefox, by WebDriver BiDi; see firefox.mjs. */
export const serveFirefox = (): Promise<BrowserServer> =>
  firefox.launchServer({
    channel: 'moz-firefox',
    executablePath: join(__dirname, 'firefox.mjs'),
    env: { ...process.env, AVOW_TEST_FIREFOX: firefoxPath },
    // Tab reaches links and buttons also where the system says otherwise.
    firefoxUserPrefs: { 'accessibility.tabfocus': 7 },
  } as Parameters<BrowserType['launchServer']>[0]);
