import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { type MadePack, makePack, zipOf } from '../helpers/ledger/made-pack';
import { type Installation, installPackage } from '../helpers/processes/installed';

jest.setTimeout(120_000);

let installation: Installation;
let pack: MadePack;
let files: { whole: string; broken: string };
beforeAll(() => {
  installation = installPackage();
  pack = makePack();
  const bytes = Buffer.from(zipOf(pack));
  const broken = makePack();
  (broken.lines.find(({ type }) => type === 'record') as { statement: string }).statement += ' ';
  files = { whole: write('whole.zip', bytes), broken: write('broken.zip', Buffer.from(zipOf(broken))) };
});
afterAll(() => installation.remove());

function write(name: string, content: Buffer | string): string {
  const file = join(installation.project, name);
  writeFileSync(file, content);
  return file;
}

const program = (imports: string): string => `${imports}
const [file, key] = process.argv.slice(2);
verifyEvidence(new Uint8Array(readFileSync(file)), { trustedKeys: [key] }).then(
  ({ verdict, records }) => console.log(verdict, records.proven, records.failed),
);
`;

/** Whether a program is here; said loudly where not. */
function isHere(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      `SKIPPED: ${name} is missing, so @avow/sdk/verify is not tried in it: npm i -g ${name}\n`,
    );
    return false;
  }
}

const RUNTIMES: [name: string, command: string, args: string[], file: string][] = [
  ['Node, as an ES module', process.execPath, [], 'verify.mjs'],
  ['Node, as CommonJS', process.execPath, [], 'verify.cjs'],
  ['Deno', 'deno', ['run', '--no-remote', '--node-modules-dir=manual', '--allow-read'], 'verify.mjs'],
  ['Bun', 'bun', ['run'], 'verify.mjs'],
];

describe.each(RUNTIMES)('the published package in %s', (_, command, args, name) => {
  (command === process.execPath || isHere(command) ? test : test.skip)('verifies a pack', () => {
    const imports = name.endsWith('.cjs')
      ? `const { verifyEvidence } = require('@avow/sdk/verify');\nconst { readFileSync } = require('node:fs');`
      : `import { verifyEvidence } from '@avow/sdk/verify';\nimport { readFileSync } from 'node:fs';\nimport process from 'node:process';`;
    const file = write(name, program(imports));
    const run = (evidence: string): string =>
      execFileSync(command, [...args, file, evidence, pack.keys.old.vkey], {
        cwd: installation.project,
        encoding: 'utf8',
      });
    expect(run(files.whole)).toBe('verified 4 0\n');
    expect(run(files.broken)).toMatch(/^failed \d 1\n$/);
  });
});

describeInBrowser('the published package in a browser', () => {
  test('verifies a pack in a worker', async () => {
    const browser = await openBrowser();
    try {
      const page = await (await browser.newContext()).newPage();
      const module = readFileSync(join(installation.installed, 'dist/verify.js'), 'utf8');
      const worker = `import { verifyEvidence } from './verify.js';
onmessage = async ({ data: [bytes, key] }) => {
  const { verdict, records } = await verifyEvidence(bytes, { trustedKeys: [key] });
  postMessage([typeof document, verdict, records.proven]);
};`;
      const contentOf: Record<string, string> = { '/verify.js': module, '/worker.js': worker };
      await page.route('https://shop.example/**', (route) => {
        const body = contentOf[new URL(route.request().url()).pathname];
        const contentType = body === undefined ? 'text/html' : 'text/javascript';
        return route.fulfill({ body: body ?? '<!doctype html>', contentType });
      });
      await page.goto('https://shop.example/');
      const found = await page.evaluate(
        ([base64, key]) =>
          new Promise((resolve, reject) => {
            const bytes = Uint8Array.from(atob(base64 as string), (sign) => sign.charCodeAt(0));
            const own = new Worker('/worker.js', { type: 'module' });
            own.onmessage = ({ data }) => resolve(data);
            own.onerror = ({ message }) => reject(new Error(message));
            own.postMessage([bytes, key]);
          }),
        [readFileSync(files.whole).toString('base64'), pack.keys.old.vkey],
      );
      expect(found).toEqual(['undefined', 'verified', 4]);
    } finally {
      await browser.close();
    }
  });
});
