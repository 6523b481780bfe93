import { randomBytes, randomUUID } from 'node:crypto';
import { MailSender } from '../../server/src/mail/mail-sender';
import { queueMail } from '../../server/src/mail/queue-mail';
import { CONNECTIONS, type HandOver, type Smtp } from '../../server/src/mail/smtp';
import { sendingTo } from '../helpers/mail/mail-server';
import { siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

// Sends nothing by itself.
const server = useServer({ variables: { ...sendingTo('smtp://127.0.0.1:9'), ROLE: 'api' } });
const context = () => server.service.context;

/** How a mail to an address ends: at once, or when the test says so. */
let answer: (to: string) => HandOver | undefined;
const sent: string[] = [];
const held: (() => void)[] = [];
let sender: MailSender;

const SENT: HandOver = { result: 'sent', status: 250 };
const BROKE: HandOver = { result: 'put off', status: undefined, error: 'It fell silent.', broke: true };
const isSlow = (to: string): boolean => to.endsWith('slow.example');

beforeEach(async () => {
  sent.length = 0;
  const { db, vault, log } = context();
  await db('mails').delete();
  const smtp = {
    send: async ({ content: { to } }: { content: { to: string } }) => {
      const said = answer(to);
      if (said === undefined) await new Promise<void>((resolve) => held.push(resolve));
      sent.push(to);
      return said ?? SENT;
    },
    close: () => undefined,
  } as unknown as Smtp;
  sender = new MailSender({
    ...{ db, vault, log, schedule: [3_600], secret: async () => randomBytes(32) },
    smtp,
  });
});
afterEach(async () => {
  answer = () => SENT;
  for (const end of held.splice(0)) end();
  await sender.stop();
});

const queue = (of: { environmentId?: string; userId?: number }, to: string) =>
  context().db.transaction((trx) =>
    queueMail(context().mail, trx, {
      ...{ kind: 'request_answered', audience: 'visitor', cause: undefined, ...of },
      content: { to, subject: to, text: to, html: to },
    }),
  );

/** Of no site. */
const queueAbout = (userId: number, to: string) =>
  context().db.transaction((trx) =>
    queueMail(context().mail, trx, {
      ...{ kind: 'log_in_changed', audience: 'account', cause: undefined, userId },
      content: { to, subject: to, text: to, html: to },
    }),
  );

/** Mails of a site of somebody else go, one after the other, so that all others have had their turns meanwhile. */
async function othersGo(environmentId: string): Promise<void> {
  for (const to of [1, 2].map((n) => `${n}-${randomUUID()}@person.example`)) {
    await queue({ environmentId }, to);
    await until('the mail of somebody else', () => sent.includes(to));
  }
}

/** So many mails, each to a domain of its own that keeps them waiting. */
const slow = (n: number) => Array.from({ length: n }, () => `a@${randomUUID()}-slow.example`);

test('all sites of an account, and what it gets itself, leave a place to others', async () => {
  const { client, token, userId } = await server.site();
  const { token: second } = await client.createEnvironment({
    body: { name: 'Second', domain: 'second.example.com' },
  });
  const other = await siteId(server, (await server.site()).token);
  for (const environmentId of [await siteId(server, token), await siteId(server, second)])
    for (const to of slow(6)) await queue({ environmentId }, to);
  await context().db('users').where({ id: userId }).update({ email: 'a@about-slow.example' });
  for (const to of slow(6)) await queueAbout(userId, to);
  await queue({ environmentId: other }, 'first@person.example');
  answer = (to) => (isSlow(to) ? undefined : SENT);
  sender.start();
  await othersGo(other);
  expect(held).toHaveLength(CONNECTIONS - 1);
});

test('where all mails are of one group, a slow site leaves the last place to what its accounts get', async () => {
  const { token, userId } = await server.site();
  const invited = await server.person();
  await context().db('users').where({ id: invited.userId }).update({ sponsor_id: userId });
  const environmentId = await siteId(server, token);
  for (const to of slow(6)) await queue({ environmentId }, to);
  answer = (to) => (isSlow(to) ? undefined : SENT);
  sender.start();
  await until('it has its places', () => held.length === CONNECTIONS - 1);
  for (const about of [userId, invited.userId]) {
    const to = `${randomUUID()}@person.example`;
    await queueAbout(about, to);
    await until('the link for a new password', () => sent.includes(to));
  }
  expect(held).toHaveLength(CONNECTIONS - 1);
});

test('mails of deleted accounts and unknown sites are of nobody else, so that no place is kept for others', async () => {
  const { token, userId } = await server.site();
  const environmentId = await siteId(server, token);
  answer = (to) => (isSlow(to) ? undefined : SENT);
  const [nobodys, unknown] = ['nobody@person.example', 'unknown@person.example'];
  await queueAbout(2_000_000_000, nobodys);
  await queue({ environmentId: randomUUID() }, unknown);
  const own = `${randomUUID()}@person.example`;
  await queue({ environmentId }, own);
  sender.start();
  await until('all are sent', () => [nobodys, unknown, own].every((to) => sent.includes(to)));
  for (const to of slow(6)) await queue({ environmentId }, to);
  await until('it has its places', () => held.length === CONNECTIONS - 1);
  const link = `${randomUUID()}@person.example`;
  await queueAbout(userId, link);
  await until('the link for a new password', () => sent.includes(link));
});

test('sites whose mails break off have half of the places together', async () => {
  const [one, two, other] = [await server.site(), await server.site(), await server.site()];
  const sites = await Promise.all([one, two].map(({ token }) => siteId(server, token)));
  for (const environmentId of sites) for (const to of slow(6)) await queue({ environmentId }, to);
  // The first of each: fewer than say that the mail server is away.
  answer = (to) => (isSlow(to) ? (sent.filter(isSlow).length < 6 ? BROKE : undefined) : SENT);
  sender.start();
  await until('they broke off', () => sent.length === 6);
  await othersGo(await siteId(server, other.token));
  expect(sent.filter(isSlow)).toHaveLength(6);
  expect(held).toHaveLength(CONNECTIONS / 2);
});
