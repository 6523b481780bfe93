import { randomUUID } from 'node:crypto';
import { MailRow } from '../../server/src/db/models';
import { tellMembers } from '../../server/src/jobs/notices';
import { type MailContent, openContent } from '../../server/src/mail/content';
import { DAY, notedFor } from '../helpers/mail/notices';
import { type Client, useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { join, member } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

// Nobody listens there: what is to be mailed waits.
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };
const server = useServer({ variables: { ...MAIL, ROLE: 'api' } });

type Person = { client: Client; userId: number };

const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));
const mailsOf = async ({ userId }: Person): Promise<MailRow[]> =>
  MailRow.query(server.service.context.db)
    .where({ user_id: userId, audience: 'member' })
    .orderBy('created_at');
const statesOf = async (person: Person) => (await mailsOf(person)).map(({ kind, state }) => [kind, state]);
const textOf = (row: MailRow): string => (openContent(server.service.context.vault, row) as MailContent).text;
/** Topics of what waits for the daily mail. */
const waitingFor = async (person: Person): Promise<string[]> =>
  (await notedFor(server, person)).filter(({ mailed_at }) => mailed_at === null).map(({ topic }) => topic);

/** A site with a second owner, a change of its members, and a request. */
async function changed() {
  const site = await server.site();
  const dana = await member(server, site, 'owner');
  await site.client.addMember({ token: site.token, body: { email: 'new@example.com', role: 'viewer' } });
  await submit(server, site.token, { request_type: 'access', email: 'ada@example.com' });
  const lower = (role: 'operator' | 'viewer' | 'owner') =>
    site.client.updateMember({ token: site.token, user_id: dana.userId, body: { role } });
  return { site, dana, lower };
}

test.each(['operator', 'viewer'] as const)(
  'what only owners are told and waits to be mailed goes to nobody who became %s, and the rest is not lost',
  async (role) => {
    const { site, dana, lower } = await changed();
    await tell();
    expect(await statesOf(dana)).toEqual([['owner_notice', 'pending']]);
    await lower('owner');
    expect(await statesOf(dana)).toEqual([['owner_notice', 'pending']]);
    await lower(role);
    const [mail] = await mailsOf(dana);
    expect(mail).toMatchObject({
      ...{ state: 'withheld', content: null, address_key: null, lease: null },
      error: 'Its receiver is no owner of the site any more.',
    });
    // What is hidden waits, too, until the next daily mail: the role may come back before.
    expect((await waitingFor(dana)).sort()).toEqual(['members_and_keys', 'request_received']);
    const { mail_id } = mail as MailRow;
    expect(await server.service.context.db('mail_counts').where({ mail_id })).toEqual([]);
    expect(await statesOf(site)).toEqual([['owner_notice', 'pending']]);
    await tell(2 * DAY);
    if (role === 'viewer') return expect(await statesOf(dana)).toEqual([['owner_notice', 'withheld']]);
    const daily = (await mailsOf(dana)).at(-1) as MailRow;
    expect([daily.kind, daily.state]).toEqual(['daily', 'pending']);
    expect(textOf(daily)).toContain('request');
    expect(textOf(daily)).not.toContain('A member was invited');
  },
);

test('mails with what only owners are told are shown to owners alone', async () => {
  const { site, dana, lower } = await changed();
  await tell();
  const { token } = site;
  const kinds = async ({ client }: Pick<Person, 'client'>) =>
    (await client.listMails({ token, audience: 'member' })).items.map(({ kind }) => kind);
  const [mail] = await mailsOf(site);
  const { mail_id } = mail as MailRow;
  expect(await kinds(dana)).toEqual(['owner_notice', 'owner_notice']);
  expect((await dana.client.getMail({ token, mail_id })).text).toContain('A member was invited');
  await lower('operator');
  // Mails that are no news of owners stay.
  const { db } = server.service.context;
  const [other] = await mailsOf(dana);
  await db('mails')
    .where({ mail_id: (other as MailRow).mail_id })
    .update({ kind: 'notice' });
  expect(await kinds(dana)).toEqual(['notice']);
  expect(await kinds(site)).toHaveLength(2);
  await expect(dana.client.getMail({ token, mail_id })).rejects.toMatchObject({ status: 404 });
});

test.each([
  ['became an owner', 'operator', 'owner', {}, ['members_and_keys', 'request_received']],
  ['became a viewer', 'owner', 'viewer', {}, []],
  ['switched a topic off', 'owner', 'owner', { request_received: 'off' }, ['members_and_keys']],
] as const)(
  'a mail is chosen by what holds when it is made: whoever %s',
  async (_, before, after, off, topics) => {
    const { dana, lower } = await changed();
    await lower(before);
    const { db } = server.service.context;
    const held = await db.transaction();
    const row = { user_id: dana.userId };
    await held('members').where(row).forUpdate();
    const telling = tell();
    try {
      await until('whoever makes the mail to wait for the role', async () => {
        const { rows } = await db.raw(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await held('members').where(row).update({ role: after });
      if ('request_received' in off) await dana.client.updateNotificationSettings({ body: off });
    } finally {
      await held.commit();
    }
    await telling;
    const noted = new Set((await notedFor(server, dana)).map(({ topic }) => topic));
    expect([...noted].sort()).toEqual(topics);
  },
);

test('a mail that is on its way when a role is lowered counts as sent', async () => {
  const { dana, lower } = await changed();
  await tell();
  const [mail] = await mailsOf(dana);
  const { mail_id } = mail as MailRow;
  const { db } = server.service.context;
  await db('mails')
    .where({ mail_id })
    .update({ lease: randomUUID(), lease_until: new Date(Date.now() + 60_000) });
  await lower('operator');
  expect(await statesOf(dana)).toEqual([['owner_notice', 'withheld']]);
  expect(await db('mail_counts').where({ mail_id })).not.toEqual([]);
});

test('whoever is an owner again before the next daily mail is told of it there, unless they want none', async () => {
  for (const topic of ['at_once', 'off'] as const) {
    const { dana, lower } = await changed();
    await tell();
    await lower('operator');
    await lower('owner');
    await dana.client.updateNotificationSettings({ body: { members_and_keys: topic } });
    await tell(2 * DAY);
    const daily = (await mailsOf(dana)).at(-1) as MailRow;
    expect(daily.kind).toBe('daily');
    expect(textOf(daily).includes('A member was invited')).toBe(topic === 'at_once');
  }
});

test('what others are told, too, still goes to whoever is an owner no more', async () => {
  const site = await server.site();
  const dana = await member(server, site, 'owner');
  await tell();
  await server.service.context.db('mails').where({ user_id: dana.userId }).delete();
  await submit(server, site.token, { request_type: 'access', email: 'ada@example.com' });
  await tell();
  await site.client.updateMember({ token: site.token, user_id: dana.userId, body: { role: 'viewer' } });
  expect(await statesOf(dana)).toEqual([['notice', 'pending']]);
});

test.each([
  ['became a viewer', true],
  ['was removed', false],
] as const)('a daily mail that waits is made anew for whoever %s at one of its sites', async (_, stays) => {
  const { site, dana, lower } = await changed();
  const other = await server.site();
  await join(other, dana, 'owner');
  await dana.client.updateNotificationSettings({ body: { members_and_keys: 'daily' } });
  for (const { client, token } of [site, other])
    await client.addMember({ token, body: { email: 'late@example.com', role: 'viewer' } });
  await tell();
  await tell(2 * DAY);
  expect((await statesOf(dana)).filter(([kind]) => kind === 'daily')).toEqual([['daily', 'pending']]);
  if (stays) await lower('viewer');
  else await site.client.removeMember({ token: site.token, user_id: dana.userId });
  expect((await statesOf(dana)).filter(([kind]) => kind === 'daily')).toEqual([['daily', 'withheld']]);
  await tell(2 * DAY);
  const anew = (await mailsOf(dana)).filter(({ kind, state }) => kind === 'daily' && state === 'pending');
  expect(anew).toHaveLength(1);
  const told = textOf(anew[0] as MailRow);
  // Of both sites a member was invited; of this one that is not theirs to know any more.
  expect(told.match(/A member was invited/g)).toHaveLength(1);
});
