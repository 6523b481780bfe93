import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { SCAN_AGENT } from '../domain/analytics';

/** Not the server's: it holds the database's address and the keys. */
export const browserEnvironment = (home: string, temporary: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  TMPDIR: temporary,
  LANG: 'C.UTF-8',
});

let agent: Promise<string | undefined> | undefined;

/**
 * Chromium's own without the word Headless, for which sites show no banner, and with a word by which an Avow
 * server recognises a scan.
 */
export function userAgentOf(program: string): Promise<string | undefined> {
  agent ??= promisify(execFile)(program, ['--version'], {
    env: browserEnvironment(tmpdir(), tmpdir()),
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
