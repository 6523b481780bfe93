// @ts-check
// `npm run check:generators`: checks that the clients that other generators make from the contract compile
// under `strict`. The generators are large and not part of the repository: npm installs them into a temporary
// folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const contract = join(root, 'spec', 'generated', 'openapi.yaml');

/** The last versions that run on the oldest Node that Avow supports. */
const PACKAGES = {
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.88.0',
  orval: '7.13.2',
  oazapfts: '7.5.0',
  '@oazapfts/runtime': '1.2.0',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  quicktype: '26.0.0',
  typescript: '5.9.3',
};

/** The program and arguments of each generator; each writes into a folder of its name. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', contract, '--output', 'openapi-typescript/api.ts'],
  'hey-api': ['openapi-ts', '--input', contract, '--output', 'hey-api', '--client', '@hey-api/client-fetch'],
  orval: ['orval', '--input', contract, '--output', 'orval/api.ts', '--client', 'fetch'],
  oazapfts: ['oazapfts', contract, 'oazapfts/api.ts'],
  kubb: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
  quicktype: [
    'quicktype',
    '--src-lang',
    'schema',
    '--lang',
    'typescript',
    '--out',
    'quicktype/api.ts',
    'models.json',
  ],
};

const KUBB = `import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  root: '.',
  input: { path: ${JSON.stringify(contract)} },
  output: { path: './kubb', format: false, lint: false },
  plugins: [pluginOas(), pluginTs({ output: { path: 'models' } })],
});
`;

const folder = mkdtempSync(join(tmpdir(), 'avow-generators-'));
try {
  const manifest = { private: true, type: 'module', dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  writeFileSync(join(folder, 'kubb.config.mjs'), KUBB);
  writeFileSync(join(folder, 'models.json'), JSON.stringify(modelsOf(contract)));
  for (const [name, [program = '', ...args]] of Object.entries(GENERATORS)) check(name, program, args);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!process.exitCode) process.stdout.write('The code of every generator compiles under strict.\n');

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 */
function check(name, program, args) {
  mkdirSync(join(folder, name), { recursive: true });
  const problem = run(program, args) ?? compile(name);
  process.stdout.write(problem === undefined ? `${name}: compiles\n` : `${name}: fails\n${problem}\n`);
  if (problem !== undefined) process.exitCode = 1;
}

/** @param {string} name */
function compile(name) {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
    },
    ...{ module: 'esnext', moduleResolution: 'bundler', types: [], allowImportingTsExtensions: true },
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: [`${name}/**/*.ts`] }),
  );
  return run('tsc', ['-p', 'tsconfig.json']);
}

/**
 * Runs a program. Returns its output if it fails, and undefined otherwise.
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  const env = { ...process.env, CI: '1', DO_NOT_TRACK: '1' };
  try {
    execFileSync(join(folder, 'node_modules', '.bin', program), args, { cwd: folder, env, encoding: 'utf8' });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    return `${stdout ?? ''}${stderr ?? ''}`.slice(0, 4000) || String(error);
  }
}

/**
 * The models of the contract as one JSON Schema, for quicktype.
 * @param {string} file
 */
function modelsOf(file) {
  const json = readFileSync(file.replace(/yaml$/, 'json'), 'utf8');
  const { schemas } = JSON.parse(json).components;
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const names = Object.keys(definitions);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  return {
    $schema: 'http://json-schema.org/draft-06/schema#',
    title: 'Models',
    type: 'object',
    properties,
    definitions,
  };
}
