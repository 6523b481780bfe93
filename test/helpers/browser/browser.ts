import { type Browser, chromium, type Download, firefox } from 'playwright-core';
import { chromiumPath } from './chromium';
import { engine, firefoxPath } from './engine';
import { sharedBrowser } from './shared';

/** `describe` where there is a browser; elsewhere the suite is skipped, and says so. */
export const describeInBrowser: jest.Describe = (() => {
  if ((engine === 'firefox' ? firefoxPath : chromiumPath) !== undefined) return describe;
  console.warn(
    engine === 'firefox'
      ? 'SKIPPED: no Firefox found; set FIREFOX_PATH, or on Debian apt-get install firefox-esr'
      : 'SKIPPED: no Chromium found; set CHROMIUM_PATH, or on Debian apt-get install chromium',
  );
  return describe.skip as jest.Describe;
})();

/** A real browser, shared with other suites: `close` ends only what this suite has opened. */
export const openBrowser = async (): Promise<Browser> =>
  (engine === 'firefox' ? firefox : chromium).connect(await sharedBrowser());

/** What a page let the visitor save, as text. */
export async function savedText(download: Download, encoding: BufferEncoding = 'utf8'): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  return Buffer.concat(parts).toString(encoding);
}
