import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { tellMembers } from '../../server/src/jobs/notices';
import { eraseOldMails } from '../../server/src/mail/erase-mails';
import { layOut } from '../../server/src/mail/layout';
import { queueMail } from '../../server/src/mail/queue-mail';
import { readSignature } from '../helpers/mail/dkim';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DAY = 86_400_000;
const HOUR = 3_600_000;
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });

let mailServer: MailServer;
/** Sends and signs. */
let server: TestServer;
/** Sends nothing. */
let silent: TestServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signing = { DKIM_DOMAIN: 'avow.example', DKIM_SELECTOR: '2026a', DKIM_KEY: pem };
  server = await startServer({
    variables: { ...sendingTo(mailServer.url), ...signing },
    mail: { ca: CERTIFICATE },
  });
  silent = await startServer();
});
afterAll(async () => {
  await server?.stop();
  await silent?.stop();
  await mailServer?.stop();
});

const someone = (): string => `${randomUUID()}@visitor.example`;

const submit = (to: TestServer, token: string, email: string) =>
  to.visitor.submitDsar({ token, body: { request_type: 'access', email } });

/** The mails to people who made requests. */
const rowsOf = (
  { service }: TestServer,
  token: string,
): Promise<
  { mail_id: string; state: string; attempts: number; error: string | null; content: Buffer | null }[]
> =>
  service.context
    .db('mails')
    .where({ audience: 'visitor' })
    .whereIn('environment_id', service.context.db('environments').where({ token }).select('id'))
    .orderBy(['created_at', 'mail_id']);

test('a mail is signed (RFC 6376) with the headers that matter, and one that was changed is not valid', async () => {
  const { token } = await server.site();
  const email = someone();
  await submit(server, token, email);
  const [mail] = await mailServer.until(1, email);
  const raw = mail?.raw ?? '';
  const { tags, signed, bodyHolds, headerHolds } = readSignature(raw, key.publicKey);
  expect(tags).toMatchObject({ v: '1', a: 'rsa-sha256', d: 'avow.example', s: '2026a' });
  expect([bodyHolds, headerHolds]).toEqual([true, true]);
  expect(signed).toEqual(
    expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe-post']),
  );
  const changed = raw.replace(/^Subject: /m, 'Subject: Re: ').replace('</html>', '!</html>');
  const after = readSignature(changed.replace(/\r\n--[^\r]+--/, '!$&'), key.publicKey);
  expect([after.bodyHolds, after.headerHolds]).toEqual([false, false]);
});

test('after a day without the mail server every mail arrives, and no attempt was counted; owners and metrics say so', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { port } = mailServer;
  const addresses = [someone(), someone(), someone()];
  await mailServer.stop();
  for (const email of addresses) await submit(server, token, email);
  const saying = (words: RegExp) =>
    until(`a mail waits because of ${words}`, async () => {
      const rows = await rowsOf(server, token);
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['pending', 0]));
      return rows.some(({ error }) => words.test(error ?? ''));
    });
  await saying(/ECONNREFUSED/);
  // A day passes; without a time zone, since on a cluster nothing may be computed from rows by the session's own.
  await db('mails')
    .where({ state: 'pending' })
    .update(
      Object.fromEntries(
        ['created_at', 'due_at', 'give_up_at'].map((name) => [
          name,
          db.raw("(?? AT TIME ZONE 'UTC' - interval '1 day') AT TIME ZONE 'UTC'", [name]),
        ]),
      ),
    );
  const { items } = await client.listWarnings({ token });
  expect(items).toContainEqual(
    expect.objectContaining({
      code: 'mail_failing',
      message: expect.stringMatching(/ECONNREFUSED.*five days/),
    }),
  );
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  await until('the metrics tell the oldest', async () => {
    const age = /^avow_mail_oldest_pending_seconds (\S+)/m.exec(await metrics())?.[1];
    return Number(age) > 86_000;
  });
  expect(await metrics()).toMatch(/^avow_mail_attempts_total\{result="unreachable"\} [1-9]/m);
  expect(await metrics()).not.toContain('visitor.example');
  const busy = { onConnect: (_: object, done: (error: Error) => void) => done(refusal(421, '4.3.2 busy')) };
  mailServer = await startMailServer({ port, ...(busy as object) });
  await saying(/4\.3\.2 busy/);
  await mailServer.stop();
  const strict = {
    onMailFrom: (_: object, __: object, done: (error: Error) => void) =>
      done(refusal(550, '5.7.1 no sender')),
  };
  mailServer = await startMailServer({ port, ...(strict as object) });
  await saying(/5\.7\.1 no sender/);
  await mailServer.stop();
  mailServer = await startMailServer({ port });
  for (const email of addresses) await mailServer.until(1, email);
  const sent = await until('all are sent', async () => {
    const rows = await rowsOf(server, token);
    return rows.every(({ state }) => state === 'sent') && rows;
  });
  expect(sent.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  expect((await client.listWarnings({ token })).items.map(({ code }) => code)).not.toContain('mail_failing');
});

const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode });

test('without a mail server mails are kept as unsent, can be read, and are not sent once there is one', async () => {
  const { client, token } = await silent.site();
  const email = someone();
  const { request_id } = await submit(silent, token, email);
  await tellMembers(silent.service.context, new Date());
  const { items } = await client.listMails({ token, request_id });
  expect(items).toEqual([
    expect.objectContaining({
      state: 'unsent',
      to: email,
      subject: 'Example shop: we received your request',
    }),
  ]);
  const { text, html } = await client.getMail({ token, mail_id: items[0]?.mail_id as string });
  expect(text).toContain(request_id);
  expect(html).toContain(request_id);
  const { resolution } = await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  expect(resolution).toBe('fulfilled');
  const sending = await startServer({
    ...{ databaseUrl: silent.databaseUrl, variables: sendingTo(mailServer.url), mail: { ca: CERTIFICATE } },
  });
  try {
    await tellMembers(sending.service.context, new Date());
    const later = someone();
    await submit(sending, token, later);
    await mailServer.until(1, later);
    await until('the new mail is sent', async () =>
      (await rowsOf(silent, token)).some(({ state }) => state === 'sent'),
    );
    const rows = await rowsOf(silent, token);
    expect(rows.map(({ state }) => state)).toEqual(['unsent', 'unsent', 'sent']);
    expect(mailServer.mails.flatMap(({ to }) => to)).not.toEqual(expect.arrayContaining([email]));
    expect(mailServer.mails.filter(({ parsed }) => parsed.text?.includes(request_id))).toEqual([]);
  } finally {
    await sending.stop();
  }
});

test('what a mail says is erased 7 days after its end, and the mail after 90', async () => {
  const { client, token } = await silent.site();
  const { db } = silent.service.context;
  for (let n = 0; n < 2; n += 1) await submit(silent, token, someone());
  const [first, second] = (await rowsOf(silent, token)).map(({ mail_id }) => mail_id);
  const endedAgo = (mail_id: string | undefined, ago: number) =>
    db('mails')
      .where({ mail_id })
      .update({ ended_at: new Date(Date.now() - ago) });
  await endedAgo(first, 7 * DAY + HOUR);
  await endedAgo(second, 7 * DAY - HOUR);
  await eraseOldMails(db, new Date());
  const told = async (mail_id: string | undefined) => {
    const { to, subject, text, state } = await client.getMail({ token, mail_id: mail_id as string });
    return [state, ...[to, subject, text].map((part) => part !== null)];
  };
  expect(await told(first)).toEqual(['unsent', false, false, false]);
  expect(await told(second)).toEqual(['unsent', true, true, true]);
  expect(await db('mails').where({ mail_id: first }).first('content', 'address_key')).toEqual({
    ...{ content: null, address_key: null },
  });
  await endedAgo(first, 90 * DAY + HOUR);
  await endedAgo(second, 90 * DAY - HOUR);
  await eraseOldMails(db, new Date());
  expect((await rowsOf(silent, token)).map(({ mail_id }) => mail_id)).toEqual([second]);
});

test('a mail that waits where no process sends is a warning, and is given up in the end', async () => {
  const { client, token } = await silent.site();
  const { db, mail } = silent.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const parts = layOut({ language: 'en', subject: 'A subject', heading: 'A heading', paragraphs: ['One.'] });
  const mail_id = await db.transaction(async (trx) => {
    await queueMail({ ...mail, isConfigured: true }, trx, {
      ...{ kind: 'request_received', audience: 'visitor', cause: 'stranger', environmentId: id },
      content: { to: someone(), ...parts },
    });
    return (await trx('mails').where({ environment_id: id }).first('mail_id')).mail_id as string;
  });
  await db('mails')
    .where({ mail_id })
    .update({ created_at: new Date(Date.now() - HOUR) });
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).toContain('mail_failing');
  await eraseOldMails(db, new Date(Date.now() + 5 * DAY));
  expect((await client.getMail({ token, mail_id })).state).toBe('pending');
  await eraseOldMails(db, new Date(Date.now() + 6 * DAY + HOUR));
  expect(await client.getMail({ token, mail_id })).toMatchObject({
    ...{ state: 'failed', error: expect.stringContaining('no process has sent mails') },
  });
});

test('requests to many sites at once, over two processes, mail one person no more than the limits', async () => {
  const other = await startServer({ databaseUrl: silent.databaseUrl });
  try {
    const some = () => Promise.all(Array.from({ length: 18 }, () => silent.site()));
    const waves = [await some(), await some()];
    const name = randomUUID();
    // Each spelling and subaddress (RFC 5233) reaches the same mailbox.
    const spellings = [name, name.toUpperCase(), `${name}+1`, `${name}+2`, `${name}+3+4`];
    for (const sites of waves)
      await Promise.all(
        sites.map(({ token }, n) =>
          submit(n % 2 === 0 ? silent : other, token, `${spellings[n % 5]}@visitor.example`),
        ),
      );
    const states = (await Promise.all(waves.flat().map(({ token }) => rowsOf(silent, token)))).flat();
    expect(states).toHaveLength(36);
    // One is owed to each account, until there are far too many.
    expect(states.filter(({ state }) => state !== 'withheld')).toHaveLength(30);
  } finally {
    await other.stop();
  }
});
