import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Stub, startStub } from './stub';

// The package as npm would publish it, used from a project that knows nothing of this repository.
jest.setTimeout(120_000);

const root = join(__dirname, '../..');
const sdk = join(root, 'sdk');
const temporary = mkdtempSync(join(tmpdir(), 'avow-sdk-'));
const staged = join(temporary, 'staged');
const project = join(temporary, 'project');
const installed = join(project, 'node_modules/@avow/sdk');

let stub: Stub | undefined;
beforeAll(async () => {
  mkdirSync(staged);
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'README.md']) copyFileSync(join(sdk, file), join(staged, file));
  node(join(sdk, 'build.mjs'), staged);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', temporary], staged);
  const tarball = readdirSync(temporary).find((name) => name.endsWith('.tgz')) ?? '';
  run('tar', ['-xzf', join(temporary, tarball), '--strip-components=1', '-C', installed], temporary);
  stub = await startStub({ data: { id: 7 } });
});
afterAll(async () => {
  await stub?.stop();
  rmSync(temporary, { recursive: true, force: true });
});

test('holds what it needs and nothing of the repository', () => {
  const files = readdirSync(join(installed, 'dist'));
  expect(files).toEqual(
    expect.arrayContaining(['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts', 'THIRD-PARTY.txt']),
  );
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  for (const file of files.filter((name) => name !== 'THIRD-PARTY.txt')) {
    const source = readFileSync(join(installed, 'dist', file), 'utf8');
    expect(source).not.toMatch(/spec\/generated|\brequire\(|from ["'](?!\.\/)/);
    expect(source).not.toMatch(/from ["']openapi|import\(/);
  }
});

test('the licence of what is bundled is included', () => {
  expect(readFileSync(join(installed, 'dist/THIRD-PARTY.txt'), 'utf8')).toMatch(
    /openapi-fetch[\s\S]*MIT License/,
  );
});

test.each([
  ['ESM', 'use.mjs', `import { createAvow, AvowApiError } from '@avow/sdk';`],
  ['CommonJS', 'use.cjs', `const { createAvow, AvowApiError } = require('@avow/sdk');`],
])('runs as %s', async (_, file, imports) => {
  const main = `createAvow({ baseUrl: process.argv[2] }).getMe().then((me) => console.log(typeof AvowApiError, me.id));`;
  writeFileSync(join(project, file), `${imports}\n${main}\n`);
  const { stdout } = await promisify(execFile)(process.execPath, [join(project, file), stub?.baseUrl ?? '']);
  expect(stdout).toBe('function 7\n');
});

const usage = `
export async function use(): Promise<string> {
  const avow = createAvow({ baseUrl: 'https://consent.example.com' });
  const record: Schemas['ConsentRecord'] = await avow.logConsent({
    token: 'env_0123456789abcdefghijAB',
    body: { session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'accept_all' },
  });
  // @ts-expect-error no such field
  record.nothing;
  return record.consent_id;
}
`;

test.each([
  ['node16', 'use.mts', `import { createAvow, type Schemas } from '@avow/sdk';`],
  [
    'node16',
    'use.cts',
    `import avow = require('@avow/sdk');\nimport createAvow = avow.createAvow;\ntype Schemas = avow.Schemas;`,
  ],
  ['bundler', 'use.ts', `import { createAvow, type Schemas } from '@avow/sdk';`],
])('has types under module resolution %s (%s)', (resolution, file, imports) => {
  writeFileSync(join(project, file), `${imports}\n${usage}`);
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  typecheck([file], '--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom');
});

test('has types without those of a browser, as in a Node project; the examples of the README compile there', () => {
  const examples = readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g);
  const files = Array.from(examples, ([, code = ''], index) => {
    writeFileSync(join(project, `example-${index}.mts`), code);
    return `example-${index}.mts`;
  });
  expect(files).toHaveLength(5);
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  typecheck(files, '--module', 'node16', '--lib', 'es2023', ...types);
});

test('publint and "are the types wrong?" find nothing', () => {
  node(join(sdk, 'lint-package.mjs'), staged);
});

test('the client is at most 5 KB: minified, gzipped, all included', () => {
  const report = node(join(sdk, 'size.mjs'), 'createAvow', join(installed, 'dist/index.js'));
  console.log(report.trim());
  expect(JSON.parse(report).gzip).toBeLessThanOrEqual(5000);
});

function typecheck(files: string[], ...options: string[]) {
  const tsc = join(dirname(require.resolve('typescript')), 'tsc.js');
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--skipLibCheck', 'false'];
  node(tsc, ...strict, ...options, ...files.map((file) => join(project, file)));
}

function node(...args: string[]): string {
  return run(process.execPath, args, project);
}

/** What a program prints; fails the test with it when the program fails. */
function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
