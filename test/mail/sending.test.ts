import { randomUUID } from 'node:crypto';
import { MailRow } from '../../server/src/db/models';
import { mailboxOf } from '../../server/src/mail/addresses';
import { inMailLine, secretMark } from '../../server/src/mail/content';
import { layOut } from '../../server/src/mail/layout';
import { type NewMail, queueMail } from '../../server/src/mail/queue-mail';
import { judge } from '../../server/src/mail/smtp';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);
afterEach(() => {
  mailServer.answers.recipient = undefined;
  mailServer.answers.content = undefined;
  mailServer.answers.beforeReply = undefined;
});

const someone = (): string => `${randomUUID()}@visitor.example`;

const parts = layOut({
  ...{ language: 'en', subject: 'A subject — with a dash', heading: 'A heading', paragraphs: ['One & two.'] },
  action: { label: 'Go on', url: 'https://avow.example/go' },
});

async function queue(to: string, more: Partial<NewMail> = {}): Promise<string> {
  const { context } = server.service;
  return context.db.transaction((trx) =>
    queueMail(context.mail, trx, {
      ...{ kind: 'password_reset', audience: 'account', cause: 'account', userId: 1 },
      content: { to, ...parts },
      ...more,
    }),
  );
}

/** The rows of the newest mails; one of them belongs to the test. */
const rowOf = async (state: MailRow['state'], after: Date): Promise<MailRow> =>
  until(`a mail that is ${state}`, async () =>
    MailRow.query(server.service.context.db).where({ state }).where('created_at', '>=', after).first(),
  );

test('many mails of one site leave as places become free, not a few in each look', async () => {
  const { token } = await server.site();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const of = { audience: 'visitor', cause: undefined, environmentId: id } as const;
  const domain = `${randomUUID()}.example`;
  const to = Array.from({ length: 300 }, (_, n) => `${n}@${domain}`);
  await Promise.all(to.map((one) => queue(one, { ...of, content: { to: one, ...parts } })));
  // Four in a look each second would take 75 seconds.
  const arrived = () => mailServer.mails.filter((mail) => mail.to.some((one) => one.endsWith(domain))).length;
  await until('300 mails', () => arrived() === 300);
});

test('a mail arrives over TLS, in text and HTML, with headers that keep machines from answering', async () => {
  const to = someone();
  expect(await queue(to, { content: { to, ...parts, unsubscribe: 'https://avow.example/u/1' } })).toBe(
    'pending',
  );
  const [mail] = await mailServer.until(1, to);
  const { parsed, secure, from } = mail as NonNullable<typeof mail>;
  expect([secure, from]).toEqual([true, 'avow@avow.example']);
  expect(parsed.subject).toBe('A subject — with a dash');
  expect(parsed.from?.value).toEqual([{ name: 'Avow', address: 'avow@avow.example' }]);
  expect(parsed.text).toContain('One & two.');
  expect(parsed.html).toContain('One &amp; two.');
  expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail?.raw).toMatch(/^List-Unsubscribe: <https:\/\/avow\.example\/u\/1>\r$/m);
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(parsed.html).not.toMatch(/<img|<script|url\(|@import|@font-face|<link/);
});

test('a rollback leaves no mail', async () => {
  const { context } = server.service;
  const to = someone();
  const failed = context.db.transaction(async (trx) => {
    await queueMail(context.mail, trx, {
      ...{ kind: 'password_reset', audience: 'account', cause: 'account' },
      content: { to, ...parts },
    });
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  const after = someone();
  await queue(after);
  await mailServer.until(1, after);
  expect(mailServer.mails.filter((mail) => mail.to.includes(to))).toEqual([]);
});

test('an address that is refused for good fails, says so without the address, and is not tried again', async () => {
  const to = someone();
  let asked = 0;
  mailServer.answers.recipient = (address) => {
    if (address !== to) return undefined;
    asked += 1;
    return [550, `5.1.1 <${address}> no such user`];
  };
  const since = new Date(Date.now() - 5_000);
  await queue(to);
  const row = await rowOf('failed', since);
  expect(row.response_status).toBe(550);
  expect(row?.error).toContain('no such user');
  expect(row?.error).not.toContain(to.slice(0, 8));
  const after = someone();
  await queue(after);
  await mailServer.until(1, after);
  expect(asked).toBe(1);
});

test('a refusal for now is tried again with the same Message-ID, by the waits of webhooks', async () => {
  const to = someone();
  const ids: (string | undefined)[] = [];
  mailServer.answers.content = (mail) => {
    if (!mail.to.includes(to)) return undefined;
    ids.push(mail.parsed.messageId);
    return ids.length < 4 ? [451, '4.7.1 greylisted'] : undefined;
  };
  await queue(to);
  const [mail] = await mailServer.until(1, to);
  expect(ids).toHaveLength(4);
  expect(new Set(ids)).toEqual(new Set([mail?.parsed.messageId]));
  const { db } = server.service.context;
  const id = /<([^@.]+)\./.exec(mail?.parsed.messageId ?? '')?.[1];
  const sent = await until('the mail to be sent', () =>
    MailRow.query(db).findOne({ mail_id: id, state: 'sent' }),
  );
  expect(sent?.attempts).toBe(4);
});

test('a mail that is of no use any more is given up', async () => {
  const to = someone();
  mailServer.answers.recipient = (address) => (address === to ? [450, '4.2.0 later'] : undefined);
  const since = new Date(Date.now() - 5_000);
  await queue(to, { kind: 'expiring', usefulUntil: new Date(Date.now() + 1_500) });
  const row = await until('the mail to be given up', () =>
    MailRow.query(server.service.context.db).findOne({ kind: 'expiring', state: 'failed' }),
  );
  expect(row?.created_at.getTime()).toBeGreaterThan(since.getTime());
  expect(row?.error).toContain('could not be sent in time');
});

test('what is for the receiver alone is sent, and stored sealed', async () => {
  const to = someone();
  const secret = randomUUID();
  const marked = layOut({
    ...{ language: 'en', subject: 'Code', heading: 'Code', paragraphs: ['Your code.'], code: secretMark(0) },
  });
  await queue(to, { content: { to, ...marked, secrets: [secret] } });
  const [mail] = await mailServer.until(1, to);
  expect(mail?.parsed.text).toContain(secret);
  expect(mail?.parsed.html).toContain(secret);
  const rows = await MailRow.query(server.service.context.db);
  expect(JSON.stringify(rows.map((row) => row.content?.toString('latin1')))).not.toContain(to);
});

test('addresses of any script arrive: domains in A-labels, names over SMTPUTF8', async () => {
  await queue('info@bücher.example');
  // The server shows it in Unicode.
  const [idn] = await mailServer.until(1, 'info@bücher.example');
  expect(idn?.raw).toMatch(/^To: info@xn--bcher-kva\.example\r$/m);
  expect(idn?.utf8).toBe(false);
  await queue('дмитрий@почта.example');
  const arrived = await until('the mail over SMTPUTF8', () => mailServer.mails.find(({ utf8 }) => utf8));
  expect(arrived.to[0]).toMatch(/^дмитрий@/);
});

test('no text adds a header line', async () => {
  const to = someone();
  const evil = 'Shop\r\nBcc: all@victims.example\r\n\r\n<b>';
  await queue(to, { content: { to, ...parts, subject: inMailLine(evil, 100), fromName: evil } });
  const [mail] = await mailServer.until(1, to);
  expect(mail?.to).toEqual([to]);
  expect(mail?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
});

test('one address gets no more than the limit in a day', async () => {
  const to = someone();
  const states: string[] = [];
  for (let n = 0; n < 22; n += 1) states.push(await queue(to));
  expect(states.filter((state) => state === 'pending')).toHaveLength(20);
  expect(states.slice(-2)).toEqual(['withheld', 'withheld']);
  // Whoever asks for another's new password that often keeps no warning from them.
  expect(await queue(to, { kind: 'new_device' })).toBe('pending');
  await mailServer.until(21, to);
});

test('what members are told takes no mail of their account away', async () => {
  const { email } = await server.person();
  for (let n = 0; n < 25; n += 1)
    await queue(email, { kind: 'notice', audience: 'member', cause: undefined, environmentId: randomUUID() });
  await server.visitor.requestPasswordReset({ body: { email } });
  const mails = await mailServer.until(26, email);
  expect(mails.some(({ parsed }) => parsed.subject === 'Choose a new password')).toBe(true);
});

test.each([
  ['ada+shop@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['a.d.a+x@googlemail.com', 'ada@gmail.com'],
])('mails to %s are counted as those to %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test('an address that SMTP cannot carry is refused, and is no sign of an unreachable mail server', () => {
  const error = Object.assign(new Error('Invalid recipient'), { code: 'EENVELOPE', command: 'API' });
  expect(judge(error, 'a@visitor.example')).toMatchObject({ result: 'refused', status: undefined });
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' });
  expect(judge(away, 'a@visitor.example').result).toBe('unreachable');
});
