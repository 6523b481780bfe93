import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OPERATIONS } from '../../spec/generated/operations';
import { FOLDER, guides } from '../docs/guide-files';
import { readMarkdown } from '../helpers/docs/markdown';
import { type Installation, installPackage, root, run, sdk } from '../helpers/processes/installed';
import { events, now, secret, signedHeaders } from './signed';
import { type Stub, startStub } from './stub';

jest.setTimeout(120_000);

let installation: Installation;
let stub: Stub | undefined;
beforeAll(async () => {
  installation = installPackage();
  stub = await startStub({ data: { id: 7 } });
});
afterAll(async () => {
  await stub?.stop();
  installation.remove();
});

test('holds what it needs and nothing of the repository', () => {
  const files = readdirSync(join(installation.installed, 'dist'));
  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts']));
  expect(files).toEqual(
    expect.arrayContaining(['webhooks.js', 'webhooks.cjs', 'webhooks.d.ts', 'webhooks.d.cts']),
  );
  const manifest = JSON.parse(readFileSync(join(installation.installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  for (const file of files) {
    const text = readFileSync(join(installation.installed, 'dist', file), 'utf8');
    // The bindings of a framework take it, and nothing else, from the page.
    const [, framework = ''] = /^(react|vue)\./.exec(file) ?? [];
    const source = framework
      ? text.replaceAll(new RegExp(`(from |require\\()["']${framework}["']`, 'g'), '')
      : text;
    expect(source).not.toMatch(/spec\/generated|\brequire\(|from ["'](?!\.\/)/);
    expect(source).not.toMatch(/from ["']openapi|import\(/);
  }
});

test('the bindings of React are client components, for bundlers that tell them apart', () => {
  for (const file of ['react.js', 'react.cjs']) {
    const text = readFileSync(join(installation.installed, 'dist', file), 'utf8');
    expect(text).toMatch(/^["']use client["'];/);
  }
});

test.each([
  ['ESM', 'use.mjs', `import { createAvow, AvowApiError } from '@avow/sdk';`],
  ['CommonJS', 'use.cjs', `const { createAvow, AvowApiError } = require('@avow/sdk');`],
])('runs as %s', async (_, file, imports) => {
  const main = `createAvow({ baseUrl: process.argv[2] }).getMe().then((me) => console.log(typeof AvowApiError, me.id));`;
  writeFileSync(join(installation.project, file), `${imports}\n${main}\n`);
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(installation.project, file),
    stub?.baseUrl ?? '',
  ]);
  expect(stdout).toBe('function 7\n');
});

test.each([
  [
    'ESM',
    'hook.mjs',
    (entry: string) => `import { verifyWebhook, WebhookVerificationError } from '${entry}';`,
  ],
  [
    'CommonJS',
    'hook.cjs',
    (entry: string) => `const { verifyWebhook, WebhookVerificationError } = require('${entry}');`,
  ],
])('verifies webhooks as %s, from the entry of their own and from the main one', (_, file, imports) => {
  const body = JSON.stringify(events['dsar.created']);
  const given = [body, signedHeaders(body), secret].map((arg) => JSON.stringify(arg));
  const then = `{ now: new Date('${now.toISOString()}') }`;
  const main = `
const wrong = (error) => console.log(error instanceof WebhookVerificationError, error.code);
verifyWebhook(${given}, ${then})
  .then(({ event }) => console.log(event))
  .then(() => verifyWebhook('{}', ${given.slice(1)}, ${then}))
  .catch(wrong);`;
  for (const entry of ['@avow/sdk', '@avow/sdk/webhooks']) {
    writeFileSync(join(installation.project, file), `${imports(entry)}\n${main}\n`);
    expect(node(join(installation.project, file))).toBe('dsar.created\ntrue bad_signature\n');
  }
});

test('there is one set of error classes for all entries, as ES modules and as CommonJS', () => {
  const program = `
import { createRequire } from 'node:module';
import * as main from '@avow/sdk';
import * as hooks from '@avow/sdk/webhooks';
import * as verify from '@avow/sdk/verify';
const require = createRequire(import.meta.url);
const verifiers = [verify, require('@avow/sdk/verify')];
const unsealed = await Promise.all(verifiers.map((one) => one.commitmentOf('AA==', '{}').catch((error) => error)));
const all = [main, hooks, require('@avow/sdk'), require('@avow/sdk/webhooks')];
const header = { 'X-Service-Signature': 'sha256=00' };
const verified = await Promise.all(all.map((one) => one.verifyWebhook('{}', header, 'whsec_${'A'.repeat(40)}').catch((error) => error)));
const refused = await Promise.all([main, all[2]].map((one) => one.createAvow({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).getMe().catch((error) => error)));
for (const { AvowError, WebhookVerificationError, AvowConnectionError } of all)
  console.log(
    verified.every((error) => error instanceof WebhookVerificationError && error instanceof AvowError),
    refused.every((error) => error instanceof AvowError && !(error instanceof WebhookVerificationError)),
    AvowConnectionError === undefined || refused.every((error) => error instanceof AvowConnectionError),
  );
class Own extends main.AvowError {}
console.log(new Own('mine') instanceof main.AvowError, verified[0] instanceof Own, String(verified[0]).split(':')[0]);
for (const error of unsealed)
  console.log(
    verifiers.every((one) => error instanceof one.EvidenceError),
    all.every((one) => error instanceof one.AvowError && !(error instanceof one.WebhookVerificationError)),
    !verifiers.some((one) => verified[0] instanceof one.EvidenceError),
  );
`;
  writeFileSync(join(installation.project, 'errors.mjs'), program);
  const holds = 'true true true\n';
  expect(node(join(installation.project, 'errors.mjs'))).toBe(
    `${holds.repeat(4)}true false WebhookVerificationError\n${holds.repeat(2)}`,
  );
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
const hookUsage = `
export async function hook(request: Request): Promise<string> {
  const event: WebhookEvent = await verifyWebhook(await request.arrayBuffer(), request.headers, 'whsec_');
  // @ts-expect-error not of every event
  event.due_at;
  return event.event === 'dsar.created' ? event.due_at : webhookId(request.headers);
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
  ['node10', 'use10.ts', `import { createAvow, type Schemas } from '@avow/sdk';`],
])('has types under module resolution %s (%s)', (resolution, file, imports) => {
  const hookImports = imports.includes('require')
    ? `import hooks = require('@avow/sdk/webhooks');\nimport verifyWebhook = hooks.verifyWebhook;\nimport webhookId = hooks.webhookId;\ntype WebhookEvent = hooks.WebhookEvent;`
    : `import { verifyWebhook, type WebhookEvent, webhookId } from '@avow/sdk/webhooks';`;
  writeFileSync(join(installation.project, file), [imports, hookImports, usage, hookUsage].join('\n'));
  const module = resolution === 'node16' ? resolution : 'esnext';
  installation.typecheck([file], '--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom');
});

test('has types without those of a browser, as in a Node project; the examples of the README compile there', () => {
  const { samples } = readMarkdown(readFileSync(join(sdk, 'README.md'), 'utf8'));
  const examples = samples.filter(({ language }) => language === 'ts').map(({ code }) => code);
  expect(examples).toHaveLength(9);
  installation.typecheckExamples(examples);
});

test('every sample of the README files and the guides is strict TypeScript with es2022 and dom', () => {
  const pages = [
    join(root, 'README.md'),
    join(sdk, 'README.md'),
    ...guides.map(({ file }) => join(FOLDER, file)),
  ];
  const examples = pages
    .flatMap((file) => readMarkdown(readFileSync(file, 'utf8')).samples)
    .filter(({ language, code }) => language === 'ts' && code.includes("from '@avow/sdk"))
    .map(({ code }) => code);
  expect(examples.length).toBeGreaterThan(15);
  installation.typecheckExamples(examples, 'es2022,dom');
});

test('the client is at most 3.7 KB and 13 bytes for each operation: minified, gzipped, all included', () => {
  const report = node(join(sdk, 'size.mjs'), 'createAvow', join(installation.installed, 'dist/index.js'));
  console.log(report.trim());
  // Its table of operations grows with the contract, and nothing else may.
  expect(JSON.parse(report).gzip).toBeLessThanOrEqual(3_700 + 13 * Object.keys(OPERATIONS).length);
});

test.each(['dist/index.js', 'dist/webhooks.js'])(
  'verifyWebhook alone is at most 1 KB (1024 bytes) of %s',
  (entry) => {
    const report = node(join(sdk, 'size.mjs'), 'verifyWebhook', join(installation.installed, entry));
    console.log(report.trim());
    expect(JSON.parse(report).gzip).toBeLessThanOrEqual(1024);
  },
);

function node(...args: string[]): string {
  return run(process.execPath, args, installation.project);
}
