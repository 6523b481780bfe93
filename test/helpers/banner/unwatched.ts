import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_FLAGS, chromiumPath } from '../browser/chromium';

/**
 * A Chromium on a page that drives itself: nothing is prerendered while DevTools look on. Answers what ends
 * it.
 */
export function openUnwatched(url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'avow-browser-'));
  const flags = [...CHROMIUM_FLAGS, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(chromiumPath as string, [...flags, url], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  return async () => {
    // Not killed: its other processes would go on writing into the profile for a while.
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  };
}
