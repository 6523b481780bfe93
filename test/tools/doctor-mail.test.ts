import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDkim } from '../../server/cli/doctor/mail';
import { CERTIFICATE_FILE, startMailServer } from '../helpers/mail/mail-server';
import { startMailboxServer } from '../helpers/mail/mailbox-server';
import { endChildren, freePort, runToEnd } from '../helpers/processes/child';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-tools-'));
afterAll(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

/** What doctor says of a subject, and all that it says. */
async function doctor(variables: Record<string, string>, subject = 'Mail') {
  const { code, output } = await runToEnd('server/cli/main.js', ['doctor'], {
    ...{ PORT: String(await freePort()), HOST: '127.0.0.1', DATA_DIR: join(folder, 'nothing') },
    ...{ MAIL_FROM: 'avow@avow.example', NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE, ...variables },
  });
  const line = output.split('\n').find((one) => one.slice(2).startsWith(subject)) ?? '';
  return { code, output, line };
}

test('the mail server is tried as mails would be sent, without sending any', async () => {
  const server = await startMailServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'avow' && password === 's3cret-word'
        ? done(null, { user: username })
        : done(Object.assign(new Error(`avow has another password than ${password}`), { responseCode: 535 })),
  });
  const at = `127.0.0.1:${server.port}`;
  try {
    const fine = await doctor({ SMTP_URL: `smtp://avow:s3cret-word@${at}` });
    expect(fine.line).toBe(`✓ Mail: ${at} answers, with TLS and the log-in`);
    const wrong = await doctor({ SMTP_URL: `smtp://avow:wr0ng-word@${at}` });
    expect([wrong.code, wrong.line]).toEqual([
      1,
      expect.stringMatching(
        /^✗ Mail: 127.* cannot be used \(EAUTH 535\): .*check user and password in SMTP_URL/,
      ),
    ]);
    const untrusted = await doctor({
      ...{ SMTP_URL: `smtp://avow:s3cret-word@${at}`, NODE_EXTRA_CA_CERTS: '' },
    });
    expect(untrusted.line).toMatch(/^✗ Mail: .*NODE_EXTRA_CA_CERTS for a certificate of your own/);
    for (const { output } of [fine, wrong, untrusted]) expect(output).not.toMatch(/s3cret-word|wr0ng-word/);
    expect(server.mails).toEqual([]);
  } finally {
    await server.stop();
  }
  const away = await doctor({ SMTP_URL: `smtp://avow:s3cret-word@${at}` });
  expect(away.line).toMatch(
    /^✗ Mail: .* cannot be used \(E\w+\): nothing answers there, check host and port/,
  );
  expect((await doctor({ SMTP_URL: '' })).line).toMatch(/^✓ Mail: SMTP_URL is not set/);
});

test('a mail server without TLS is told, unless SMTP_TLS says so', async () => {
  const server = await startMailServer({ disabledCommands: ['STARTTLS'] });
  try {
    const SMTP_URL = server.url;
    expect((await doctor({ SMTP_URL })).line).toMatch(/^✗ Mail: .* it does not offer TLS/);
    expect((await doctor({ SMTP_URL, SMTP_TLS: 'off' })).line).toMatch(/^✓ Mail: .*no TLS .*and no log-in/);
  } finally {
    await server.stop();
  }
});

test('the mailbox of mails that come back is opened as it will be read', async () => {
  const server = await startMailServer();
  const mailbox = await startMailboxServer();
  const at = `127.0.0.1:${mailbox.port}`;
  const bounces = (BOUNCES_URL: string, more: Record<string, string> = {}) =>
    doctor({ SMTP_URL: server.url, BOUNCES_URL, ...more }, 'Bounces');
  try {
    expect((await bounces(mailbox.url)).line).toBe(`✓ Bounces: ${at} answers, and INBOX can be read`);
    const wrong = await bounces(mailbox.url.replace('p%40ss', 'wr0ng'));
    expect([wrong.code, wrong.line]).toEqual([
      1,
      expect.stringMatching(/check user and password in BOUNCES_URL/),
    ]);
    expect(wrong.output).not.toContain('wr0ng');
    expect((await bounces(`${mailbox.url}/Nowhere`)).line).toMatch(
      /✗ Bounces: .*it does not open the folder/,
    );
    expect((await bounces(mailbox.url, { NODE_EXTRA_CA_CERTS: '' })).line).toMatch(/NODE_EXTRA_CA_CERTS/);
    for (const [tls, said] of [
      ['starttls', /^✓ Bounces: .* answers/],
      ['none', /^✗ Bounces: .*it does not offer TLS/],
    ] as const) {
      const other = await startMailboxServer(tls);
      expect((await bounces(other.url)).line).toMatch(said);
      await other.stop();
    }
    expect((await bounces('')).line).toMatch(/^✓ Bounces: BOUNCES_URL is not set, have somebody read/);
  } finally {
    await mailbox.stop();
    await server.stop();
  }
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkimKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const published = createPublicKey(dkimKey).export({ type: 'spki', format: 'der' }).toString('base64');

test('the record of the signing key is named, and looked up where the DNS answers', async () => {
  const settings = { dkimDomain: 'avow.example', dkimSelector: '2026a', dkimKey };
  const asked: string[] = [];
  const said = async (resolveTxt: () => string[][]): Promise<string> => {
    const names = {
      resolveTxt: async (name: string) => {
        asked.push(name);
        return resolveTxt();
      },
    };
    const [finding] = await checkDkim(settings, names);
    return `${finding?.mark} ${finding?.text}`;
  };
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  const name = '2026a._domainkey.avow.example';
  // A long record comes in parts.
  const parts = ['v=DKIM1; k=rsa; p=', published.slice(0, 200), published.slice(200)];
  expect(await said(() => [['other'], parts])).toBe(`✓ DKIM: the key is published under ${name}`);
  expect(await said(() => [['v=DKIM1; p=AAAA']])).toMatch(/^✗ DKIM: .* holds another key/);
  expect(await said(failing('ENOTFOUND'))).toBe(
    `✗ DKIM: there is no record ${name}: publish a TXT record with v=DKIM1; k=rsa; p=${published}`,
  );
  expect(await said(failing('ETIMEOUT'))).toMatch(
    /^! DKIM: the DNS does not answer here \(ETIMEOUT\): see that/,
  );
  expect(new Set(asked)).toEqual(new Set([name]));
  expect(await checkDkim({ dkimDomain: undefined, dkimSelector: undefined, dkimKey: undefined })).toEqual([]);
});

test('doctor says so of the key that is configured, and never shows it', async () => {
  const file = join(folder, 'dkim.pem');
  writeFileSync(file, dkimKey, { mode: 0o600 });
  const signing = { DKIM_DOMAIN: 'avow.invalid', DKIM_SELECTOR: '2026a', DKIM_KEY_FILE: file };
  const { line, output } = await doctor({ SMTP_URL: 'smtp://127.0.0.1:9', ...signing }, 'DKIM');
  expect(line).toMatch(/^[✗!] DKIM: .*2026a\._domainkey\.avow\.invalid.*publish a TXT record/);
  expect(line).toContain(published);
  expect(output).not.toContain(dkimKey.split('\n')[1]);
});
