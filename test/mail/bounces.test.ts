import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Splitter } from '@zone-eu/mailsplit';
import pino from 'pino';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { type MailboxServer, startMailboxServer } from '../helpers/mail/mailbox-server';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** What the reader of mails decodes their fields with. */
const { Libmime } = createRequire(require.resolve('@zone-eu/mailsplit'))('libmime') as {
  Libmime: { prototype: { decodeWord(...args: string[]): string } };
};

let mails: MailServer;
let mailbox: MailboxServer;
let server: TestServer;
/** Lines of the server's log. */
const told: string[] = [];
beforeAll(async () => {
  mails = await startMailServer();
  mailbox = await startMailboxServer();
  server = await startServer({
    variables: { ...sendingTo(mails.url), BOUNCES_URL: mailbox.url },
    mail: { ca: CERTIFICATE },
    log: pino({ level: 'info' }, { write: (line: string) => void told.push(line) }),
  });
});
afterAll(async () => {
  await server?.stop();
  await mailbox?.stop();
  await mails?.stop();
});

/** A mail to somebody who made a request, and what becomes of it. */
async function sent() {
  const { client, token } = await server.site();
  const email = `${randomUUID()}@visitor.example`;
  const { request_id } = await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const messageId = async (count = 1) => (await mails.until(count, email))[count - 1]?.parsed.messageId ?? '';
  const read = async (kind = 'request_received') => {
    const { items } = await client.listMails({ token });
    return items.find((mail) => mail.kind === kind);
  };
  const isSent = (kind?: string) =>
    until('the mail is sent', async () => (await read(kind))?.state === 'sent');
  await isSent();
  return { client, token, request_id, messageId: await messageId(), read, isSent, messageIdOf: messageId };
}

const look = async (): Promise<void> => server.service.context.readBounces?.(new AbortController().signal);

interface Written {
  action?: string;
  status?: string;
  /** What is given back of the mail. */
  returned?: string;
  type?: string;
  /** More fields about the mail as a whole. */
  fields?: string;
}

/** A report as Postfix writes it. */
const report = (
  messageId: string,
  {
    action = 'failed',
    status = '5.1.1',
    type = 'text/rfc822-headers',
    returned = `Received: by avow.example\nMessage-ID:\n ${messageId}\nSubject: Your request`,
    fields = '',
  }: Written = {},
): string => `Return-Path: <>
From: MAILER-DAEMON@mail.example (Mail Delivery System)
To: avow@avow.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="ABC.123/mail.example"

This is a MIME-encapsulated message.

--ABC.123/mail.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--ABC.123/mail.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example
${fields}Arrival-Date: Thu, 26 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; somebody@visitor.example
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 5.1.1 <somebody@visitor.example>: Recipient address
    rejected: User unknown

--ABC.123/mail.example
Content-Description: Undelivered Message
Content-Type: ${type}

${returned}

--ABC.123/mail.example--
`;

test('an answer that comes back later is told to the owner, in metrics and in the log, without the address', async () => {
  const { client, token, request_id, read, isSent, messageIdOf } = await sent();
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', answer: 'Here it is.' } });
  const messageId = await messageIdOf(2);
  await isSent('request_answered');
  const bounces = async () =>
    Number(/^avow_mail_bounces_total (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
  const before = await bounces();
  mailbox.deliver('From: Ada <ada@visitor.example>\nSubject: Thank you\n\nThanks.\n');
  mailbox.deliver(report(messageId));
  await look();
  expect(await read('request_answered')).toMatchObject({
    state: 'failed',
    error: 'It came back: there is no such address (5.1.1).',
  });
  expect((await client.getDsar({ token, request_id })).undelivered).toMatchObject([
    { duty: 'answer', state: 'failed', error: 'It came back: there is no such address (5.1.1).' },
  ]);
  expect((await client.listWarnings({ token })).items).toContainEqual(
    expect.objectContaining({
      code: 'answer_not_delivered',
      subject_id: request_id,
      message: expect.stringContaining('there is no such address (5.1.1)'),
    }),
  );
  await until('it is counted', async () => (await bounces()) === before + 1);
  // A second look, and another process, read it again and tell nothing.
  await look();
  const lines = told.filter((line) => line.includes('a mail came back'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ mail_id: messageId.slice(1, 37), kind: 'request_answered', status: '5.1.1' }),
  ]);
  expect(told.join('')).not.toContain('@visitor.example');
  expect(mailbox.flags()).toEqual([[], []]);
});

test.each<[string, Written]>([
  ['a mail that is late', { action: 'delayed', status: '4.4.1' }],
  ['a mail that arrived', { action: 'delivered', status: '2.0.0' }],
  ['a mail of another program', { returned: 'Message-ID: <20261126.1@mail.example>' }],
  [
    'a mail that nobody knows',
    { returned: `Message-ID: <019acf00-0000-7000-8000-000000000000@avow.example>` },
  ],
  ['a mail that only its text names', { returned: 'Subject: hi', type: 'text/plain' }],
])('a report of %s changes nothing', async (_, written) => {
  const { messageId, read } = await sent();
  mailbox.deliver(report(messageId, written));
  await look();
  expect(await read()).toMatchObject({ state: 'sent', error: null });
  // It was read: what comes behind it is.
  mailbox.deliver(report(messageId));
  await look();
  expect(await read()).toMatchObject({ state: 'failed' });
});

test.each<[string, (messageId: string) => string, string]>([
  [
    'with the whole mail',
    (id) =>
      report(id, {
        ...{ type: 'message/rfc822', status: '5.2.2' },
        returned: `Message-ID: ${id}\nContent-Type: multipart/alternative; boundary=in\n\n--in\n\nMessage-ID: <no@no>\n--in--`,
      }),
    'It came back: the mailbox is full (5.2.2).',
  ],
  [
    'with the envelope id only',
    (id) =>
      report(id, {
        ...{ fields: `Original-Envelope-Id: ${id.slice(1, 70)}\n`, returned: 'Subject: hi' },
        ...{ status: '4.4.7 (delivery time expired)' },
      }),
    'It came back: its mail server could not be reached (4.4.7).',
  ],
  [
    'within a list of parts, after which a gateway adds a line',
    (id) =>
      report(id, { status: '5.7.26' }).replace(
        /^Content-Type: multipart[\s\S]*/m,
        (inner) =>
          `Content-Type: multipart/mixed; boundary=out\n\n--out\n${inner}\n--out\n\nChecked.\n--out--\n`,
      ),
    'It came back: its mail server refuses mails of this server (5.7.26).',
  ],
  ['without a code that means something', (id) => report(id, { status: 'unknown' }), 'It came back.'],
])('a report %s is understood', async (_, write, error) => {
  const { messageId, read } = await sent();
  mailbox.deliver(write(messageId));
  await look();
  expect(await read()).toMatchObject({ state: 'failed', error });
});

test('whoever can list the mails of a site cannot say that one came back: its mark is told nowhere', async () => {
  const { client, token, read, messageId } = await sent();
  const mail_id = (await read())?.mail_id ?? '';
  for (const name of [mail_id, `${mail_id}.${'0'.repeat(32)}`])
    mailbox.deliver(report(`<${name}@avow.example>`));
  await look();
  expect((await read())?.state).toBe('sent');
  const told = JSON.stringify([await client.listMails({ token }), await client.getMail({ token, mail_id })]);
  expect(told).not.toContain(messageId.slice(38, 70));
  mailbox.deliver(report(messageId));
  await look();
  expect((await read())?.state).toBe('failed');
});

test('the mail server is asked to report failures only, by our id, and to give back headers only (RFC 3461)', async () => {
  const email = `${randomUUID()}@visitor.example`;
  const { token } = await server.site();
  await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const [mail] = await mails.until(1, email);
  const [id] = mail?.parsed.messageId?.slice(1).split('@') ?? [];
  expect(id).toMatch(/^[0-9a-f-]{36}\.[0-9a-f]{32}$/);
  expect(mail?.reports).toEqual({ give: 'HDRS', id, when: ['FAILURE'] });
});

test('what strangers send to the mailbox neither stops the reading nor costs more than its first 64 KiB', async () => {
  const { messageId, read } = await sent();
  const parts = '--x\nContent-Type: message/delivery-status\n\nAction: failed\n';
  const head = 'Content-Type: multipart/report; boundary=x\n\n';
  mailbox.deliver(`${head}${parts.repeat(2_000)}`);
  mailbox.deliver(`${'X-Long: a\n'.repeat(10_000)}\n`);
  mailbox.deliver(
    `Content-Type: multipart/report; boundary="${'b'.repeat(60_000)}"\n\n${'--b\n'.repeat(20_000)}`,
  );
  mailbox.deliver('');
  // As deep as a message can be.
  const nested = Array.from(
    { length: 1_500 },
    (_, n) => `--b${n}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`,
  );
  mailbox.deliver(`Content-Type: multipart/mixed; boundary=b0\n\n${nested.join('')}`);
  // Words of which each is decoded by itself, in charsets that are none: bare, with escaped characters, around comments.
  const long = (text: string): string => text.repeat(Math.floor(60_000 / text.length));
  for (const field of [
    `Content-Disposition: attachment; filename="${long('=?a?Q??==?b?Q??=')}"`,
    `Content-Disposition: attachment; filename="${long('=\\?l?Q??=x')}"`,
    `Content-Disposition: ${long('=(c)?l?Q??=x')}`,
    `Content-Type: text/plain; name*0="${long('=\\?l?Q??=x')}"`,
    `Content-Type: text/plain; name*0*=l''${long('%ff')}`,
  ])
    mailbox.deliver(`Content-Type: multipart/mixed; boundary="q?"\n\n--q?\n${field}\n\nx\n--q?--\n`);
  mailbox.deliver(report(messageId));
  const taken = jest.spyOn(Splitter.prototype, 'end');
  const decoded = jest.spyOn(Libmime.prototype, 'decodeWord');
  await look();
  expect(taken.mock.calls.length).toBeGreaterThan(1);
  expect(decoded.mock.calls).toEqual([]);
  taken.mockRestore();
  decoded.mockRestore();
  expect(await read()).toMatchObject({ state: 'failed' });
});

test('a mailbox that cannot be read is told in the log without its log-in, and is read once it is back', async () => {
  const { messageId, read } = await sent();
  const logged: string[] = [];
  const other = await startMailboxServer();
  const reader = await startServer({
    variables: { ...sendingTo(mails.url), BOUNCES_URL: other.url.replace('p%40ss', 'wr0ng') },
    mail: { ca: CERTIFICATE },
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
  });
  try {
    await reader.service.context.readBounces?.(new AbortController().signal);
    await other.stop();
    await reader.service.context.readBounces?.(new AbortController().signal);
  } finally {
    await reader.stop();
  }
  const saying = logged.filter((line) => line.includes('BOUNCES_URL'));
  expect(saying.map((line) => JSON.parse(line).reason)).toEqual([
    'the log-in was refused',
    expect.stringMatching(/ECONN/),
  ]);
  expect(logged.join('')).not.toMatch(/wr0ng|avow:/);
  mailbox.deliver(report(messageId));
  await look();
  expect(await read()).toMatchObject({ state: 'failed' });
});
