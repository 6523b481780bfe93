import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAvow, signTestEvent } from '@avow/sdk';
import { contract } from '../helpers/http/contract-requests';
import { type Installation, installPackage, root, run, sdk } from '../helpers/processes/installed';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { ExampleReceiver } from '../helpers/webhooks/example-receiver';
import { events, otherSecret, secret } from '../sdk/signed';
import { guides, type PlacedSample, samplesIn } from './guide-files';

// Whatever a guide shows is run as it stands there, with the package as it is published, or checked as far as
// it can be.
jest.setTimeout(120_000);

const runs = (sample: PlacedSample): boolean => sample.run;
const isReceiver = ({ code }: PlacedSample): boolean => code.includes('AVOW_WEBHOOK_SECRET');
const ts = samplesIn('ts').map((sample, index) => ({ ...sample, program: `sample-${index}.mjs` }));
const programs = ts.filter(runs).filter((sample) => !isReceiver(sample));
const receivers = ts.filter(runs).filter(isReceiver);

const BROWSER = [
  ...['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable'],
  '--skipLibCheck',
];

let server: TestServer;
let installation: Installation;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'avow-guides-'));
  installation = installPackage();
  installation.addExpress();
  for (const { program, code } of ts) installation.writeProgram(program, code);
  server = await startServer({
    variables: { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'on' },
  });
});
afterAll(async () => {
  await server?.stop();
  installation?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  writeFileSync(join(installation.project, name), text);
  return name;
}

/** A site and its owner, as samples find them in their variables. */
async function variables(): Promise<NodeJS.ProcessEnv> {
  const { client, token, email } = await server.site();
  const { token: bearer } = await server.visitor.login({ body: { email, password: PASSWORD } });
  const scopes = contract.document.components.schemas.Scope.enum;
  const { key } = await client.createKey({ body: { name: 'samples', scopes } });
  return {
    ...{ PATH: process.env.PATH, URL: server.url, SITE: token, TOKEN: bearer, EMAIL: email, PASSWORD },
    ...{ AVOW_URL: server.url, AVOW_TOKEN: token, AVOW_EMAIL: email, AVOW_PASSWORD: PASSWORD },
    AVOW_API_KEY: key,
  };
}

describe('TypeScript', () => {
  test.each(programs)('$place runs', async ({ program, code }) => {
    const file = join(installation.project, program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
      env: await variables(),
      cwd: folder,
    });
    expect(stderr).toBe('');
    if (code.includes('console.log')) expect(stdout + code).toMatch(/\S/);
  });

  test('is strictly typed: what runs in Node without the types of a browser, the rest with them', () => {
    const texts = (wanted: boolean) => ts.filter((sample) => sample.run === wanted).map(({ code }) => code);
    installation.typecheckExamples(texts(true));
    const files = texts(false).map((code, index) => write(`page-${index}.mts`, `${code}\nexport {};\n`));
    installation.typecheck(files, ...BROWSER);
  });
});

describe('Next.js', () => {
  const samples = samplesIn('tsx');
  /** What these samples take of Next.js, which is no package of this repository. */
  const NEXT = `
declare module 'next/headers' { export function headers(): Promise<Headers>; }
declare module 'next/server' {
  export type NextRequest = Request;
  export class NextResponse extends Response { static next(init: { request: { headers: Headers } }): NextResponse; }
}`;

  test('its samples are strictly typed', () => {
    write('next.d.ts', NEXT);
    installation.addReact();
    const named = samples.map(({ code }, index) =>
      write(code.includes("'use server'") ? 'consent.ts' : `next-${index}.tsx`, code),
    );
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    installation.typecheck(['next.d.ts', ...named], '--jsx', 'react-jsx', ...types, ...BROWSER);
  });

  test('the server action reads what a visitor decided', async () => {
    const action = samples.find(({ code }) => code.includes("'use server'"))?.code ?? '';
    const env = await variables();
    const session_id = randomUUID();
    const call = `console.log(await mayMeasure('${session_id}'));`;
    const file = installation.writeProgram('action.mjs', `${action}\n${call}`);
    const ask = async () =>
      (await promisify(execFile)(process.execPath, [file], { env, cwd: folder })).stdout;
    expect(await ask()).toBe('false\n');
    const token = env.AVOW_TOKEN ?? '';
    await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
    expect(await ask()).toBe('true\n');
    // After "Ask everybody again" the old choice is none.
    const site = createAvow({ baseUrl: server.url, apiKey: env.AVOW_API_KEY ?? '' });
    await site.updateEnvironment({ token, body: { settings: { policy_version: 'after' } } });
    expect(await ask()).toBe('false\n');
  });

  test('the policy of the middleware has the nonce that the page gets', async () => {
    const middleware = samples.find(({ code }) => code.includes('NextResponse'))?.code ?? '';
    const stub =
      'class NextResponse extends Response { static next({ request }) { return Object.assign(new NextResponse(), { request }); } }';
    const call = `const response = middleware(new Request('http://localhost'));
const policy = response.headers.get('Content-Security-Policy');
console.log(policy.includes("'nonce-" + response.request.headers.get('x-nonce') + "'"), response.request.headers.get('Content-Security-Policy') === policy);`;
    const file = installation.writeProgram('middleware.mjs', middleware);
    const code = readFileSync(file, 'utf8').replace(/import .*next\/server'?"?;/, stub);
    writeFileSync(file, `${code}\n${call}`);
    expect(run(process.execPath, [file], installation.project)).toBe('true true\n');
  });
});

test('JavaScript for pages fits what browsers have, and the banner’s own declarations', () => {
  write('banner.d.ts', readFileSync(join(sdk, 'src', 'banner.ts'), 'utf8'));
  const files = samplesIn('js').map(({ code }, index) =>
    write(`page-${index}.mjs`, `/// <reference path="./banner.d.ts" />\n${code}\nexport {};\n`),
  );
  expect(files.length).toBeGreaterThan(2);
  installation.typecheck(files, '--allowJs', '--checkJs', '--strict', 'false', ...BROWSER);
});

describe.each(receivers)('the receiver $place', ({ program, code }) => {
  let receiver: ExampleReceiver;
  beforeAll(async () => {
    const kind = code.includes('export default') ? 'fetch' : 'listens';
    receiver = await ExampleReceiver.start(join(installation.project, program), kind, secret);
  });
  afterAll(() => receiver?.stop());

  test('takes what is genuine, once, and refuses the rest', async () => {
    const event = events['dsar.created'];
    const good = await signTestEvent(event, secret);
    for (const signed of [good, good]) expect((await receiver.post(signed)).status).toBe(200);
    expect(receiver.printed).toBe(`erasure is due at ${event.due_at}\n`);
    expect((await receiver.post({ ...good, body: good.body.replace('erasure', 'access') })).status).toBe(401);
    expect((await receiver.post(await signTestEvent(event, otherSecret))).status).toBe(401);
  });
});

describe('shell', () => {
  test.each(samplesIn('sh').filter(runs))('$place runs', async ({ code }) => {
    const options = { env: await variables(), cwd: folder };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', code], options);
    expect(stdout).not.toContain('"status":"error"');
    if (code.includes('echo')) expect(stdout).toMatch(/genuine|one record/);
  });

  test.each(samplesIn('sh'))('$place can be read by a shell', ({ code }) => {
    run('bash', ['-n', '-c', code], folder);
  });
});

const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.warn('SKIPPED: no python3 found; the samples in Python are not run');
(python ? describe : describe.skip)('Python', () => {
  test.each(samplesIn('python').filter(runs))('$place verifies as the SDK does', async ({ code }) => {
    const ask = async (signed: { body: string; headers: Record<string, string> }): Promise<string> => {
      const lower = Object.fromEntries(
        Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const given = [signed.body, lower, secret].map((value) => JSON.stringify(JSON.stringify(value)));
      const call = `import json\ntry:\n    print(verify(*[json.loads(x) if i else json.loads(x).encode() for i, x in enumerate([${given}])]))\nexcept ValueError as error:\n    print(error)\n`;
      return run('python3', ['-c', `${code}\n${call}`], folder).trim();
    };
    const event = events['breach.created'];
    const good = await signTestEvent(event, secret);
    expect(await ask(good)).toBe(good.headers['webhook-id']);
    expect(await ask(await signTestEvent(event, otherSecret, { nextSecret: secret }))).toMatch(
      /^[0-9a-f-]{36}$/,
    );
    expect(await ask({ ...good, body: `${good.body} ` })).toContain('wrong');
    expect(await ask(await signTestEvent(event, otherSecret))).toContain('wrong');
    expect(await ask(await signTestEvent(event, secret, { timestamp: Date.now() - 3_600_000 }))).toContain(
      'too old',
    );
    const { 'webhook-id': _, ...rest } = good.headers;
    expect(await ask({ body: good.body, headers: rest })).toContain('missing');
  });
});

test('the error that a guide shows is the one that the server gives', async () => {
  const { token } = await server.site();
  const shown = samplesIn('json')
    .map(({ code }) => JSON.parse(code))
    .filter(({ status }) => status === 'error');
  const response = await fetch(`${server.url}/api/consents/${token}/log`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ session_id: crypto.randomUUID(), decision: 'maybe' }),
  });
  expect(shown).toEqual([await response.json()]);
});

test('pages of the server that guides link to are there', async () => {
  const paths = new Set(guides.flatMap(({ links }) => links).filter((link) => link.startsWith('/')));
  for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
});
