import { randomUUID } from 'node:crypto';
import { FOUNDER } from '../../server/src/domain/fair-turns';
import { tellMembers } from '../../server/src/jobs/notices';
import { addressHash } from '../../server/src/mail/addresses';
import { NOTICES } from '../../server/src/mail/limits';
import { DAY, HOUR, notedFor } from '../helpers/mail/notices';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { clientOf } from '../helpers/second-factor';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);
const db = (table: string) => server.service.context.db(table);
const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));

type Site = Awaited<ReturnType<typeof server.site>>;

const submit = ({ token }: Pick<Site, 'token'>) =>
  server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
  });

const breach = ({ client, token }: Site) =>
  client.createBreach({
    token,
    body: {
      ...{ title: 'Lost laptop', description: 'A laptop was lost.' },
      aware_at: new Date(Date.now() - 30 * HOUR).toISOString(),
    },
  });

/** How a member was told of each topic: by a mail at once, or not yet. */
const toldOf = async (person: { userId: number }) =>
  (await notedFor(server, person)).map(
    ({ topic, mailed_at }) => `${topic} ${mailed_at === null ? 'waits' : 'at once'}`,
  );

const noticesTo = async ({ email }: { email: string }): Promise<number> => {
  const rows = db('mails').join('users', 'users.id', 'mails.user_id').where({ email, audience: 'member' });
  return (await rows.select('mail_id')).length;
};

test('nobody is told of a site at an address that they have not proved, and is once they have', async () => {
  const site = await server.site();
  const email = `${randomUUID()}@stranger.example`;
  const { invitation_url } = await site.client.addMember({
    token: site.token,
    body: { email, role: 'operator' },
  });
  const session = await server.visitor.acceptInvitation({
    body: { code: codeOf(invitation_url), password: PASSWORD },
  });
  const stranger = { userId: session.user.id, email };
  await submit(site);
  await tell();
  await tell(DAY);
  expect(await toldOf(stranger)).toEqual([]);
  // What waited already for the daily mail, as from before there was a mail server.
  const { id: environment_id } = await db('environments').where({ token: site.token }).first('id');
  await db('notices').insert({
    ...{ environment_id, user_id: stranger.userId, notice_key: 'before', topic: 'score_fell' },
    ...{ message: 'It fell.', path: '/score', created_at: new Date(Date.now() - 3 * DAY) },
  });
  await tell(2 * DAY);
  expect(await noticesTo(stranger)).toBe(0);
  const [mail] = await mailServer.until(1, email);
  const [, code = ''] = /\/console\/verify-email#([\w-]{43})/.exec(mail?.parsed.text ?? '') ?? [];
  await clientOf(server, session.token).verifyEmail({ body: { code } });
  await submit(site);
  await tell();
  expect(await toldOf(stranger)).toContain('request_received at once');
  expect(await noticesTo(stranger)).toBe(1);
});

/** As if so many notices had been mailed to a person today, of the sites of these accounts. */
async function mailed(
  { email }: { email: string },
  count: number,
  { cause = 'notice', account = randomUUID() as string, site_id = undefined as string | undefined } = {},
): Promise<void> {
  const address_key = await addressHash(server.service.context.mail, email);
  const rows = Array.from({ length: count }, () => ({
    ...{ mail_id: randomUUID(), address_key, cause, kind: 'notice', account, unconfirmed: false },
    ...{ site_id: site_id ?? randomUUID(), maker: FOUNDER, created_at: new Date() },
  }));
  await server.service.context.db.batchInsert('mail_counts', rows, 500);
}

test('beyond the limits of an account notices wait for the daily mail, and requests take none from the rest', async () => {
  const site = await server.site();
  const account = String(site.userId);
  await mailed(site, NOTICES.addressOfAccount, { account, cause: 'request_notice' });
  await submit(site);
  await breach(site);
  await tell();
  expect((await toldOf(site)).sort()).toEqual(['breach_clock at once', 'request_received waits']);
  await mailed(site, NOTICES.addressOfAccount, { account });
  await breach(site);
  await tell();
  expect((await toldOf(site)).sort()).toEqual([
    ...['breach_clock at once', 'breach_clock waits', 'request_received waits'],
  ]);
  await tell(DAY);
  const before = new Date(Date.now() + HOUR);
  expect(
    await db('notices').where({ user_id: site.userId, mailed_at: null }).where('created_at', '<', before),
  ).toEqual([]);
  const mails = await mailServer.until(2, site.email);
  expect(mails.map(({ parsed }) => parsed.subject)).toContain('Your sites: what happened');
});

test('what others tell somebody takes no notice of their own sites away, and their mailbox is not filled', async () => {
  const site = await server.site();
  await mailed(site, NOTICES.addressOfAll);
  await breach(site);
  await tell();
  expect(await toldOf(site)).toEqual(['breach_clock at once']);
  await mailed(site, NOTICES.addressAtMost - NOTICES.addressOfAll - 1);
  await breach(site);
  await tell();
  expect((await toldOf(site)).sort()).toEqual(['breach_clock at once', 'breach_clock waits']);
});

test('all accounts of one mailbox get a bounded number of daily mails', async () => {
  const site = await server.site();
  const address_key = await addressHash(server.service.context.mail, site.email);
  await site.client.updateNotificationSettings({ body: { breach_clock: 'daily' } });
  await breach(site);
  await tell();
  const like = { address_key, cause: 'account', kind: 'daily', unconfirmed: false, created_at: new Date() };
  await db('mail_counts').insert(
    Array.from({ length: 200 }, () => ({
      ...{ ...like, mail_id: randomUUID(), site_id: randomUUID(), account: randomUUID() },
    })),
  );
  await tell(DAY);
  // It waits for a day with room.
  expect(await db('mails').where({ user_id: site.userId, kind: 'daily' })).toEqual([]);
  expect(new Set(await toldOf(site))).toEqual(new Set(['breach_clock waits']));
  await db('mail_counts').where({ address_key }).delete();
  await tell(DAY);
  expect(await db('mails').where({ user_id: site.userId, kind: 'daily' })).toHaveLength(1);
});
