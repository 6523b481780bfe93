import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createAvow } from '@avow/sdk';
import { loadContract, type Operation } from '../../server/src/contract/operations';
import { hashPassword } from '../../server/src/security/password';
import { createUser } from '../../server/src/services/accounts';
import { SIGN_IN } from '../helpers/audit/sign-in';
import { builtPages, textOf } from '../helpers/docs/site';
import { FROM_A_PAGE, makeId, type Owned, ownedSite } from '../helpers/http/contract-requests';
import { type Installation, installPackage } from '../helpers/processes/installed';
import { addApp, codeNow } from '../helpers/second-factor';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { useProvider } from '../helpers/sign-on/provider';
import { linkTo } from '../helpers/sign-on/walk';
import { attach, begin, PDF, someRequest } from '../helpers/site/attachments';

// Every sample of the reference is run as it is printed: curl by a shell, the SDK as it is published.
jest.setTimeout(180_000);

const { operations } = loadContract();

interface Sample {
  /** The text above it: which variables it takes. */
  note: string;
  curl: string;
  sdk: string;
}

/** The samples of each operation, as the built pages show them. */
const samples = new Map<string, Sample>();
for (const { html } of builtPages().filter(({ path }) => path.startsWith('api/')))
  for (const section of html.split('<section class="operation">').slice(1)) {
    const [curl = '', sdk = ''] = [...section.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/g)].map(
      ([, code = '']) => textOf(code),
    );
    const note = textOf(/<p class="aside variables">([\s\S]*?)<\/p>/.exec(section)?.[1] ?? '');
    samples.set(/<h2 id="(\w+)">/.exec(section)?.[1] ?? '', { note, curl, sdk });
  }

/** A receiver that the reader has and this machine has not: its address is the only text that is changed. */
const RECEIVER = 'https://receiver.example.com';

const acme = useProvider('acme');
/**
 * They send what only a provider, an authenticator or a refused log-in gives: the console's tests, and those of
 * `test/api/{sign-on,second-factor}.test.ts`, go there.
 */
const NOT_FROM_A_SHELL = [
  ...['finishSignOn', 'proveLink', 'finishLink', 'logoutByProvider'],
  ...['addPasskey', 'loginWithPasskey', 'completeLogin'],
  ...FROM_A_PAGE,
];

let server: TestServer;
let installation: Installation;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'avow-reference-'));
  // A refusal ends curl with an error, as a reader's eye would see it.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  installation = installPackage();
  server = await startServer({
    variables: {
      ...acme.variables,
      ...{ WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
      // Some operations need that mail could be sent; nobody listens there.
      ...{ SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' },
    },
    scan: { lookup: async () => [], engine: 'http' },
  });
  // Browsers make passkeys for names, not for addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  server.service.context.config.publicUrl = url;
  await acme.running().register('acme', { url });
  const passwordHash = await hashPassword(PASSWORD);
  await createUser(server.service.context.db, {
    email: 'owner@example.com',
    name: 'Ada Owner',
    passwordHash,
  });
});
afterAll(async () => {
  await server?.stop();
  installation?.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Place extends Owned {
  userId: number;
  email: string;
  ids: Map<string, string>;
}

/** Variables whose value no operation of the site answers by itself. */
const OTHER_VARIABLES: Record<string, (place: Place) => Promise<string>> = {
  SITE: async ({ token }) => token,
  TOKEN: async ({ bearer }) => bearer,
  CODE: async () => {
    const { client, token } = await server.site();
    const { invitation_url } = await client.addMember({
      token,
      body: { email: `${randomUUID()}@example.com`, role: 'viewer' },
    });
    return /[\w-]{43}$/.exec(invitation_url ?? '')?.[0] ?? '';
  },
  IDENTITY_ID: async (place) => {
    const client = clientOf(place);
    return (await linkTo(client, randomUUID())).identity_id;
  },
  KEY_ID: async (place) => {
    const body = { name: 'sample', set: 'export' as const, site: place.token };
    return (await clientOf(place).createKey({ body })).key_id;
  },
  // Its webhook stands before it in the path.
  DELIVERY_ID: async ({ token, bearer, ids }) => {
    const client = createAvow({ baseUrl: server.url, token: bearer });
    const webhook_id = ids.get('WEBHOOK_ID') ?? '';
    return (await client.testWebhook({ token, webhook_id, body: { event: 'dsar.created' } })).delivery_id;
  },
  SCAN_ID: async (place) => {
    const body = { url: `https://${randomUUID()}.shop.example.com/`, token: place.token };
    return (await clientOf(place).startCookieScan({ body })).scan_id;
  },
};

/** What an operation of signing in needs, as variables of its sample. */
async function signingIn(
  place: Place,
  id: 'endSession' | 'removePasskey' | 'renamePasskey' | 'resetPassword' | 'verifyEmail',
) {
  const { path = {}, body = {}, bearer } = (await SIGN_IN[id]?.(server, place)) ?? {};
  const values = Object.entries({ ...path, ...body, ...(bearer !== undefined && { token: bearer }) });
  return Object.fromEntries(values.map(([name, value]) => [name.toUpperCase(), String(value)]));
}

/** The token of somebody who has an authenticator app, and its next code. */
async function withApp(place: Place): Promise<Record<string, string>> {
  const { session, secret } = await addApp(server, clientOf(place));
  return { TOKEN: session.token, CODE: codeNow(secret) };
}

/** A request that takes files, and a file of as many bytes as the example sends. */
async function answerFile(place: Place): Promise<Record<string, string>> {
  const { token } = place;
  const request = { request_type: 'access' as const, email: `${randomUUID()}@example.com` };
  const { request_id } = await server.visitor.submitDsar({ token, body: request });
  const body = { name: 'a.zip', content_type: 'application/zip' as const, bytes: 10 };
  const { file_id } = await clientOf(place).createAnswerFile({ token, request_id, body });
  return { REQUEST_ID: request_id, FILE_ID: file_id, PART: '0' };
}

/** An attachment of as many bytes as the example sends, with them or without. */
async function attachment(place: Place, isComplete: boolean): Promise<Record<string, string>> {
  const { token } = place;
  const request_id = await someRequest(server.visitor, token);
  const { attachment_id } = isComplete
    ? await attach(clientOf(place), { token, request_id })
    : await begin(clientOf(place), { token, request_id }, PDF.length);
  return { REQUEST_ID: request_id, ATTACHMENT_ID: attachment_id, PART: '0' };
}

/** A request with a system on its list. */
async function searchLine(place: Place): Promise<Record<string, string>> {
  const { token } = place;
  const request = { request_type: 'access' as const, email: `${randomUUID()}@example.com` };
  const { request_id } = await server.visitor.submitDsar({ token, body: request });
  const body = { names: ['Shop database'] };
  const { lines } = await clientOf(place).fillSearchList({ token, request_id, body });
  return { REQUEST_ID: request_id, LINE_ID: lines[0]?.line_id ?? '' };
}

/** Variables that mean something else for these operations, or take more than an identifier. */
const OWN_VARIABLES: Record<string, (place: Place) => Promise<Record<string, string>>> = {
  beginLink: async () => ({ PROVIDER: 'acme' }),
  beginSignOn: async () => ({ PROVIDER: 'acme' }),
  completeLogin: async () => ({ CODE: '123456' }),
  proveLink: async () => ({ PROVIDER: 'acme', CODE: 'of-another-log-in' }),
  finishSignOn: async () => ({ PROVIDER: 'acme', CODE: 'of-another-log-in' }),
  logoutByProvider: async () => ({ PROVIDER: 'acme' }),
  confirmTotp: async (place) => ({ CODE: codeNow((await clientOf(place).beginTotp()).secret) }),
  reauthenticate: withApp,
  removeTotp: withApp,
  renewRecoveryCodes: withApp,
  setSecondFactorRule: withApp,
  endSession: (place) => signingIn(place, 'endSession'),
  renamePasskey: (place) => signingIn(place, 'renamePasskey'),
  removePasskey: (place) => signingIn(place, 'removePasskey'),
  resetPassword: (place) => signingIn(place, 'resetPassword'),
  verifyEmail: (place) => signingIn(place, 'verifyEmail'),
  updateSearchLine: searchLine,
  createAnswerFile: answerFile,
  putAnswerFilePart: answerFile,
  deleteAnswerFile: answerFile,
  putAttachmentPart: (place) => attachment(place, false),
  downloadAttachment: (place) => attachment(place, true),
  deleteAttachment: (place) => attachment(place, true),
  deleteDsarComment: async (place) => {
    const { token } = place;
    const request = { request_type: 'access' as const, email: `${randomUUID()}@example.com` };
    const { request_id } = await server.visitor.submitDsar({ token, body: request });
    const body = { text: 'The backup is to be searched.' };
    const { comment_id } = await clientOf(place).addDsarComment({ token, request_id, body });
    return { REQUEST_ID: request_id, COMMENT_ID: comment_id };
  },
  getMail: async (place) => {
    const { token } = place;
    const body = { request_type: 'access' as const, email: `${randomUUID()}@example.com` };
    await server.visitor.submitDsar({ token, body });
    return { MAIL_ID: (await clientOf(place).listMails({ token })).items[0]?.mail_id ?? '' };
  },
};

const clientOf = ({ bearer }: Place) => createAvow({ baseUrl: server.url, token: bearer });

/** What must be so before an operation makes sense. */
const BEFORE: Record<string, (place: Place) => Promise<unknown>> = {
  // The person whom the example names, as if nobody had invited them yet.
  addMember: () => server.service.context.db('users').where({ email: 'dpo@example.com' }).delete(),
  // The site that the example names; only an archived one with nothing open is deleted.
  deleteEnvironment: async (place) => {
    const { db } = server.service.context;
    for (const table of ['dsar_requests', 'breaches']) await db(table).where({ status: 'created' }).delete();
    await clientOf(place).updateEnvironment({
      token: place.token,
      body: { name: 'Example shop', status: 'archived' },
    });
  },
  getBundle: (place) => makeId(server, place, 'hash'),
  // The invitation is for whoever has logged in.
  joinEnvironment: async (place) => {
    const { db } = server.service.context;
    const { id } = await clientOf(place).getMe();
    const me = await db('users').where({ id }).first('email', 'email_key');
    await db('site_invitations').update(me);
  },
  reactivateWebhook: ({ ids }) =>
    server.service.context
      .db('webhooks')
      .where({ webhook_id: ids.get('WEBHOOK_ID') })
      .update({ status: 'disabled', disabled_at: new Date(), disabled_reason: 'failures' }),
  reopenBreach: (place) =>
    clientOf(place).markBreachNotReportable({
      token: place.token,
      breach_id: place.ids.get('BREACH_ID') ?? '',
      body: { reason: 'The files were encrypted.' },
    }),
  reopenDsar: (place) => {
    const request_id = place.ids.get('REQUEST_ID') ?? '';
    return clientOf(place).resolveDsar({ token: place.token, request_id, body: { resolution: 'fulfilled' } });
  },
  requestEmailVerification: ({ userId }) =>
    server.service.context.db('users').where({ id: userId }).update({ email_verified_at: null }),
  resumeWebhook: (place) =>
    clientOf(place).pauseWebhook({ token: place.token, webhook_id: place.ids.get('WEBHOOK_ID') ?? '' }),
  saveReceipt: ({ token }) =>
    server.visitor.logConsent({
      token,
      body: { session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'accept_all' },
    }),
  startCookieScan: () => server.service.context.db('cookie_scans').delete(),
};

/** A site with an owner, and a value for each variable that the sample takes. */
async function environmentFor(operation: Operation, code: string): Promise<NodeJS.ProcessEnv> {
  const place: Place = { ...(await ownedSite(server)), ids: new Map() };
  const named = [
    ...new Set([...code.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)*(?= = '')|(?<=\$)[A-Z_]+/g)].map(([name]) => name)),
  ];
  const own = (await OWN_VARIABLES[operation.id]?.(place)) ?? {};
  for (const name of named) {
    const value = await (own[name] ??
      OTHER_VARIABLES[name]?.(place) ??
      makeId(server, place, name.toLowerCase()));
    expect([name, value]).toEqual([name, expect.stringMatching(/./)]);
    place.ids.set(name, value ?? '');
  }
  await BEFORE[operation.id]?.(place);
  return { PATH: process.env.PATH, CURL_HOME: folder, ...Object.fromEntries(place.ids) };
}

/** The page's script puts the reader's own server there, too. */
const printedFor = (code: string): string =>
  code.replaceAll('http://localhost:8080', server.url).replaceAll(RECEIVER, 'http://127.0.0.1:9');

/** Runs a program as a thread, which starts in a tenth of a process's time; returns what it says of errors. */
async function runThread(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const thread = new Worker(program, { env, stdout: true, stderr: true });
  thread.stdout.resume();
  const [said, [code]] = await Promise.all([text(thread.stderr), once(thread, 'exit')]);
  return code === 0 ? said : `${said}ended with ${code}`;
}

describe.each(operations.filter(({ id }) => !NOT_FROM_A_SHELL.includes(id)))('$id', (operation) => {
  const { note, curl, sdk } = samples.get(operation.id) ?? { note: '', curl: '', sdk: '' };

  test('the shell runs what is printed', async () => {
    const options = { env: await environmentFor(operation, curl), cwd: mkdtempSync(join(folder, 'shell-')) };
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euc', printedFor(curl)],
      options,
    );
    expect([curl.startsWith('curl '), stderr]).toEqual([true, '']);
    expect(stdout).not.toContain('"status":"error"');
  });

  test('the SDK runs what is printed', async () => {
    const env = await environmentFor(operation, sdk);
    const program = installation.writeProgram(`${operation.id}.mjs`, printedFor(sdk));
    expect([sdk.includes(`avow.${operation.id}`), await runThread(program, env)]).toEqual([true, '']);
  });

  test('says where each variable comes from', () => {
    const taken = [...sdk.matchAll(/([A-Z_]+) = ''/g)].map(([, name]) => name);
    for (const name of taken)
      expect(note).toMatch(new RegExp(`\\$${name} (is the \\S+ that \\S+ answers|is the .+)[;.]`));
    // What needs the login needs the site's token beside it, and the two are never mixed up.
    expect(sdk).not.toMatch(/token: '|[^,] token: TOKEN,\n/);
  });
});

describe.each(operations.filter(({ id }) => NOT_FROM_A_SHELL.includes(id)))('$id', (operation) => {
  const { curl, sdk } = samples.get(operation.id) ?? { curl: '', sdk: '' };

  // It is refused for what it holds, and not for how it is written.
  test('the shell and the SDK send what the contract takes', async () => {
    const home = mkdtempSync(join(folder, 'refused-'));
    writeFileSync(join(home, '.curlrc'), 'silent\nwrite-out = "%{stderr}%{http_code}"\n');
    const env = { ...(await environmentFor(operation, curl)), CURL_HOME: home };
    const shell = ['--norc', '-euc', printedFor(curl)];
    const { stdout, stderr } = await promisify(execFile)('bash', shell, { env });
    const { message, data } = JSON.parse(stdout);
    const said = `${stderr} ${data.errors?.[0]?.message ?? message}`;
    expect(said).toMatch(
      FROM_A_PAGE.includes(operation.id)
        ? /^403 .*linked_domains only: add the page's domain/
        : /^40[019] .*begin (it again|again|to log in again|to link again)/,
    );
    expect(data.errors ?? []).toHaveLength(stderr === '400' ? 1 : 0);
    const program = installation.writeProgram(`${operation.id}.mjs`, printedFor(sdk));
    const thread = runThread(program, await environmentFor(operation, sdk));
    await expect(thread).rejects.toThrow(`${operation.id} failed (${stderr} `);
  });
});

test('the page of errors shows what the server says', async () => {
  const page = builtPages().find(({ path }) => path === 'errors')?.html ?? '';
  const shown = textOf(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? '');
  const { token } = await server.site();
  const response = await fetch(`${server.url}/api/consents/${token}/log`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ session_id: randomUUID(), decision: 'maybe' }),
  });
  expect(JSON.parse(shown)).toEqual(await response.json());
});

test('every sample of the SDK is strictly typed', () => {
  installation.typecheckExamples([...samples.values()].map(({ sdk }) => sdk));
});
