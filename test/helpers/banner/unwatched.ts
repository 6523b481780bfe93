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
  const browser = spawn(chromiumPath as string, [...flags, url], { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  return async () => {
    browser.kill();
    await ended;
    // Its other processes may go on writing into the profile.
    try {
      process.kill(-(browser.pid as number), 'SIGKILL');
    } catch {
      // They have ended, too.
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  };
}
