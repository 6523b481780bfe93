import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export const root = join(__dirname, '../../..');
export const sdk = join(root, 'sdk');

export type Installation = ReturnType<typeof installPackage>;

/** The package as npm would publish it, in a project that knows nothing of this repository. */
export function installPackage() {
  const temporary = mkdtempSync(join(tmpdir(), 'avow-sdk-'));
  const staged = join(temporary, 'staged');
  const project = join(temporary, 'project');
  const installed = join(project, 'node_modules/@avow/sdk');
  mkdirSync(staged);
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'README.md']) copyFileSync(join(sdk, file), join(staged, file));
  cpSync(join(sdk, 'dist'), join(staged, 'dist'), { recursive: true });
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', temporary], staged);
  const tarball = readdirSync(temporary).find((name) => name.endsWith('.tgz')) ?? '';
  run('tar', ['-xzf', join(temporary, tarball), '--strip-components=1', '-C', installed], temporary);
  return {
    staged,
    project,
    installed,
    /** Express too, with its types, for examples that receive webhooks with it. */
    addExpress: () => {
      mkdirSync(join(project, 'node_modules/@types'));
      for (const name of ['express', '@types/express'])
        symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    },
    /** The types of React, for examples of pages. */
    addReact: () => {
      mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
      symlinkSync(join(root, 'node_modules/@types/react'), join(project, 'node_modules/@types/react'));
    },
    /** Writes a TypeScript example as a program of the project; returns its path. */
    writeProgram: (name: string, code: string) => {
      const file = join(project, name);
      const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
      writeFileSync(file, ts.transpileModule(code, { compilerOptions }).outputText);
      return file;
    },
    /** Checks files of the project strictly; throws with what the compiler says. */
    typecheck: (files: string[], ...options: string[]) => {
      const tsc = join(dirname(require.resolve('typescript')), 'tsc.js');
      const strict = ['--noEmit', '--strict', '--target', 'es2022'];
      const paths = files.map((file) => join(project, file));
      run(process.execPath, [tsc, ...strict, ...options, ...paths], project);
    },
    /** Checks examples as they would be in a Node project; the usual one is without the types of a browser. */
    typecheckExamples(examples: string[], lib = 'es2023') {
      const files = examples.map((code, index) => {
        writeFileSync(join(project, `example-${index}.mts`), code);
        return `example-${index}.mts`;
      });
      const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
      this.typecheck(files, '--skipLibCheck', '--module', 'node16', '--lib', lib, ...types);
    },
    remove: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

/** What a program prints; fails the test with it when the program fails. */
export function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
