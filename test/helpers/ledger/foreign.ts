import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = join(__dirname, 'go');
const CACHE = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'avow');
/** Packages come from where Debian puts them, or from the path of who runs this; none is loaded. */
export const GO_ENVIRONMENT = {
  ...process.env,
  GO111MODULE: 'off',
  GOFLAGS: '',
  GOPATH: [process.env.GOPATH, '/usr/share/gocode'].filter(Boolean).join(':'),
  // Go refuses to build where it has no home to keep what it compiled.
  GOCACHE: process.env.GOCACHE ?? join(tmpdir(), 'avow-go'),
};

/** Whether Go and its packages of logs are here; said loudly where not. */
export const hasGo = ((): boolean => {
  try {
    const packages = ['note', 'tlog'].map((name) => `golang.org/x/mod/sumdb/${name}`);
    execFileSync('go', ['list', ...packages], { env: GO_ENVIRONMENT, stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      'SKIPPED: Go or its package x/mod is missing, so no foreign program verifies the evidence log: on Debian apt-get install golang-go golang-golang-x-mod-dev\n',
    );
    return false;
  }
})();

/** Compiles a program of Go in a folder; once for all runs as long as its files stay the same. */
export async function buildGo(folder = PROGRAM): Promise<string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.go'));
  const hash = createHash('sha256');
  for (const name of files.sort()) hash.update(readFileSync(join(folder, name)));
  const binary = join(CACHE, `go-${hash.digest('hex').slice(0, 16)}`);
  try {
    readFileSync(binary);
    return binary;
  } catch {}
  mkdirSync(CACHE, { recursive: true });
  const built = `${binary}.${process.pid}`;
  await run('go', ['build', '-o', built, '.'], { cwd: folder, env: GO_ENVIRONMENT });
  // Another suite may build it too: whoever is last replaces it by the same.
  renameSync(built, binary);
  return binary;
}

const run = promisify(execFile);
/** What the vectors are is four megabytes. */
const MOST = 64 * 1024 * 1024;

/** What a foreign program says; what is wrong when it ends with an error. */
export async function foreign(...args: string[]): Promise<string> {
  const { stdout } = await run(await buildGo(), args, { maxBuffer: MOST });
  return stdout;
}

/** The same, of what is one line of JSON. */
// biome-ignore lint/suspicious/noExplicitAny: facts of several kinds
export const foreignFacts = async (...args: string[]): Promise<any> => JSON.parse(await foreign(...args));
