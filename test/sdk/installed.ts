import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(__dirname, '../..');
export const sdk = join(root, 'sdk');

/** The package as npm would publish it, in a project that knows nothing of this repository. */
export function installPackage() {
  const temporary = mkdtempSync(join(tmpdir(), 'avow-sdk-'));
  const staged = join(temporary, 'staged');
  const project = join(temporary, 'project');
  const installed = join(project, 'node_modules/@avow/sdk');
  mkdirSync(staged);
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'README.md']) copyFileSync(join(sdk, file), join(staged, file));
  run(process.execPath, [join(sdk, 'build.mjs'), staged], project);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', temporary], staged);
  const tarball = readdirSync(temporary).find((name) => name.endsWith('.tgz')) ?? '';
  run('tar', ['-xzf', join(temporary, tarball), '--strip-components=1', '-C', installed], temporary);
  return {
    staged,
    project,
    installed,
    remove: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

/** What a program prints; fails the test with it when the program fails. */
export function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
