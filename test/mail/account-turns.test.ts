import { randomUUID } from 'node:crypto';
import { accountsWithMail, claimMails } from '../../server/src/mail/claim-mails';
import { queueMail } from '../../server/src/mail/queue-mail';
import { CONNECTIONS } from '../../server/src/mail/smtp';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { startServer, type TestServer } from '../helpers/server';

jest.setTimeout(120_000);

// Each test has a mail server, an API that queues, and a second server that sends what waits when told to.
let mailServer: MailServer;
let server: TestServer;
let sending: TestServer;
/** Receivers in the order in which they were asked about, and how to answer about those that are kept waiting. */
const asked: string[] = [];
const held: (() => void)[] = [];
let holds = true;

beforeEach(async () => {
  [holds, asked.length] = [true, 0];
  mailServer = await startMailServer({
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      if (holds && address.endsWith('slow.example')) held.push(done);
      else done();
    },
  });
  const variables = { ...sendingTo(mailServer.url), ROLE: 'api' };
  server = await startServer({ variables, mail: { ca: CERTIFICATE } });
  sending = await startServer({
    ...{ variables, databaseUrl: server.databaseUrl, mail: { ca: CERTIFICATE } },
  });
});
afterEach(async () => {
  holds = false;
  for (const done of held.splice(0)) done();
  await sending?.stop();
  await server?.stop();
  await mailServer?.stop();
});

const queue = (userId: number, to: string) =>
  server.service.context.db.transaction((trx) =>
    queueMail(server.service.context.mail, trx, {
      ...{ kind: 'log_in_changed', audience: 'account', cause: undefined, userId },
      content: { to, subject: to, text: to, html: to },
    }),
  );

/** An account that another's invitation made, with an address at a domain of its own. */
async function invited(sponsor_id: number): Promise<{ userId: number; email: string }> {
  const { userId } = await server.person();
  const email = `bot@${randomUUID()}.example`;
  await server.service.context.db('users').where({ id: userId }).update({ sponsor_id, email });
  return { userId, email };
}

test('what waits for one account and those that it invited delays the link of another by their turn', async () => {
  const [rival, other, shop] = [await server.person(), await server.person(), await server.site()];
  const bots = [];
  for (let n = 0; n < 3; n += 1) bots.push(await invited(rival.userId));
  for (const { userId, email } of bots) for (let n = 0; n < 30; n += 1) await queue(userId, email);
  await server.visitor.requestPasswordReset({ body: { email: other.email } });
  // In the rival's own group, too, nobody waits for all of it.
  await server.visitor.requestPasswordReset({ body: { email: rival.email } });
  const email = `${randomUUID()}@person.example`;
  await server.visitor.submitDsar({ token: shop.token, body: { request_type: 'access', email } });
  sending.service.context.mailSender.start();
  for (const to of [other.email, rival.email, email]) await mailServer.until(1, to);
  // As many as are claimed at once.
  for (const to of [other.email, email]) expect(asked.indexOf(to)).toBeLessThan(CONNECTIONS * 2);
  // A turn of each of the three before it, up to three mails each, and what others have between.
  expect(asked.indexOf(rival.email)).toBeLessThan(CONNECTIONS * 2 * 3);
});

test('a domain whose mail server is slow does not have all places, whoever mails to it', async () => {
  const other = await server.person();
  const { db } = server.service.context;
  for (let n = 0; n < 12; n += 1) {
    const { userId } = await server.person();
    const email = `${n}@${n}.slow.example`;
    await db('users').where({ id: userId }).update({ email, email_key: email });
    await server.visitor.requestPasswordReset({ body: { email } });
  }
  await server.visitor.requestPasswordReset({ body: { email: other.email } });
  sending.service.context.mailSender.start();
  // While not one of the others has got through.
  await mailServer.until(1, other.email);
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual([other.email]);
  expect(held.length).toBeLessThan(CONNECTIONS);
});

test('nor does one group of accounts, whatever the domains', async () => {
  const [rival, other] = [await server.person(), await server.person()];
  const { db } = server.service.context;
  for (let n = 0; n < 8; n += 1) {
    const { userId } = await invited(rival.userId);
    const email = `bot@${n}-slow.example`;
    await db('users').where({ id: userId }).update({ email, email_key: email });
    await queue(userId, email);
  }
  await server.visitor.requestPasswordReset({ body: { email: other.email } });
  sending.service.context.mailSender.start();
  await mailServer.until(1, other.email);
  expect(mailServer.mails.map(({ to }) => to[0])).toEqual([other.email]);
  expect(held.length).toBeLessThan(CONNECTIONS);
});

test('each look finds a bounded number of accounts, and the next goes on behind them', async () => {
  const { db } = server.service.context;
  const waiting: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { userId, email } = await server.person();
    for (let mail = 0; mail < 3; mail += 1) await queue(userId, email);
    waiting.push(userId);
  }
  const [first, second, third, fourth, fifth] = waiting as [number, number, number, number, number];
  await db('mails')
    .where({ user_id: second })
    .update({ due_at: db.raw("now() + interval '1 hour'") });
  const none = '00000000-0000-0000-0000-000000000000';
  expect(await claimMails(db, none, 9, third)).toHaveLength(3);
  expect(await accountsWithMail(db, -1, 2)).toEqual({ accounts: [first], last: second });
  expect(await accountsWithMail(db, second, 2)).toEqual({ accounts: [fourth], last: fourth });
  expect(await accountsWithMail(db, fourth, 2)).toEqual({ accounts: [fifth], last: undefined });
  const claimed = await claimMails(db, none, 2, fifth);
  expect(claimed.map(({ mail }) => mail.user_id)).toEqual([fifth, fifth]);
});
