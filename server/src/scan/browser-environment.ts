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

let agent: Promise<string> | undefined;
/** Of a Chromium that does not say its own: as good a one as any. */
const MAJOR = 140;

/**
 * Chromium's own without the word Headless, for which sites show no banner, and with a word by which an Avow
 * server recognises a scan.
 */
export function userAgentOf(program: string): Promise<string> {
  agent ??= promisify(execFile)(program, ['--version'], {
    env: browserEnvironment(tmpdir(), tmpdir()),
    timeout: 10_000,
  }).then(
    ({ stdout }) => withMajor(/ (\d+)\.\d+\.\d+/.exec(stdout)?.[1] ?? MAJOR),
    () => {
      // It is asked again for the next scan.
      agent = undefined;
      return withMajor(MAJOR);
    },
  );
  return agent;
}

const withMajor = (major: string | number): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36 ${SCAN_AGENT}/1.0`;
