import { randomBytes, randomUUID } from 'node:crypto';
import { NO_SITE } from '../../server/src/db/audit-events';
import { erasureOf } from '../../server/src/db/erase-site';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { type AccountMail, queueAccountMail } from '../../server/src/mail/account-mail';
import { addressHash } from '../../server/src/mail/addresses';
import { claimMails, sitesWithMail } from '../../server/src/mail/claim-mails';
import { createUser } from '../../server/src/services/accounts';
import { post } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

jest.setTimeout(120_000);

const server = useServer({ variables: { SITES_PER_ACCOUNT: '3', ROLE: 'api' } });
const db = (table: string) => server.service.context.db(table);

type Owner = Awaited<ReturnType<typeof server.person>>;

const someone = (): string => `${randomUUID()}@person.example`;
const NAME = 'Example shop';

const newSite = async ({ client }: Owner): Promise<{ token: string; id: string }> => {
  const { token } = await client.createEnvironment({ body: { name: NAME, domain: 'shop.example.com' } });
  return { token, id: (await db('environments').where({ token }).first('id')).id };
};

async function remove({ client }: Owner, { token, id }: { token: string; id: string }): Promise<void> {
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  await client.deleteEnvironment({ token, name: NAME, unanswered: true });
  for await (const _ of erasureOf(server.service.context.db, id));
}

/** A request that an owner records. */
async function record({ client }: Owner, token: string): Promise<string> {
  const received_on = new Date().toISOString().slice(0, 10);
  const body = { request_type: 'access', channel: 'letter', received_on, email: someone() } as const;
  return (await client.recordDsar({ token, body })).request_id;
}

const answer = { resolution: 'fulfilled', answer: 'Yes.' } as const;

/** What becomes of the mail of an owner's answer. */
async function resolve({ client }: Owner, token: string, request_id: string) {
  await client.resolveDsar({ token, request_id, body: answer });
  const mail = await db('mails').where({ request_id, kind: 'request_answered' }).first('state', 'error');
  const { undelivered } = await client.getDsar({ token, request_id });
  return { state: mail?.state, error: mail?.error, undelivered };
}

/** As mails that the account's sites of before have caused today, each to another address. */
async function counted(count: number, like: object): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    ...like,
    ...{ mail_id: randomUUID(), site_id: randomUUID(), address_key: randomBytes(32) },
  }));
  for (let from = 0; from < count; from += 5_000)
    await server.service.context.db.batchInsert('mail_counts', rows.slice(from, from + 5_000), 1_000);
}

const countOf = async (kind: string, { userId }: Owner) =>
  db('mail_counts')
    .where({ kind, account: String(userId) })
    .first();

/** As when the person opens the link that was mailed to them. */
async function confirm(request_id: string): Promise<string> {
  await db('dsar_requests').where({ request_id }).update({ email_verified_at: new Date() });
  return request_id;
}

test('what all sites of an account mail in a day has an end, deleted ones too, and others mail on', async () => {
  const owner = await server.person();
  const first = await newSite(owner);
  const answered = async (by: Owner, token: string) =>
    (await resolve(by, token, await confirm(await record(by, token)))).state;
  expect(await answered(owner, first.token)).toBe('unsent');
  const ofMembers = await countOf('request_answered', owner);
  const ask = async (token: string): Promise<string> => {
    const sent = await post(server.url, `/api/dsar/${token}`, { request_type: 'access', email: someone() });
    return (await db('mails').where({ request_id: sent.json.data.request_id }).first('state')).state;
  };
  expect(await ask(first.token)).toBe('unsent');
  const ofStrangers = await countOf('request_received', owner);
  await remove(owner, first);
  await counted(19_998, ofMembers);
  await counted(4_998, ofStrangers);
  const { token } = await newSite(owner);
  expect([await answered(owner, token), await answered(owner, token)]).toEqual(['unsent', 'withheld']);
  expect([await ask(token), await ask(token)]).toEqual(['unsent', 'withheld']);
  const other = await server.person();
  const { token: others } = await newSite(other);
  expect(await answered(other, others)).toBe('unsent');
  expect(await ask(others)).toBe('unsent');
});

test('of an account 500 mails a day go to addresses that nobody has confirmed, and the owner is told', async () => {
  const owner = await server.person();
  const first = await newSite(owner);
  expect((await resolve(owner, first.token, await record(owner, first.token))).state).toBe('unsent');
  const row = await countOf('request_answered', owner);
  await remove(owner, first);
  await counted(498, row);
  const { token } = await newSite(owner);
  expect((await resolve(owner, token, await record(owner, token))).state).toBe('unsent');
  const request_id = await record(owner, token);
  const late = await resolve(owner, token, request_id);
  expect(late.state).toBe('withheld');
  expect(late.undelivered).toEqual([
    expect.objectContaining({ duty: 'answer', state: 'withheld', error: late.error }),
  ]);
  expect(late.error).toMatch(/addresses that nobody has confirmed: tell the person in another way/);
  // The steps on many at once as well.
  const many = [await record(owner, token), await record(owner, token)];
  await owner.client.resolveDsars({ token, body: { ...answer, request_ids: many } });
  const states = await db('mails')
    .whereIn('request_id', many)
    .where('kind', 'request_answered')
    .pluck('state');
  expect(states).toEqual(['withheld', 'withheld']);
  // Whoever has opened the link is answered.
  const confirmed = await confirm(await record(owner, token));
  expect((await resolve(owner, token, confirmed)).state).toBe('unsent');
});

test('an account makes so many sites in a day, also when it deletes them, and half of them by invited ones', async () => {
  const owner = await server.person();
  const invited = await server.person();
  await db('users').where({ id: invited.userId }).update({ sponsor_id: owner.userId, by_invited: false });
  for (let n = 0; n < 10; n += 1) await remove(invited, await newSite(invited));
  const refused = await refusal(newSite(invited));
  expect([refused.status, refused.code]).toEqual([429, 'rate_limited']);
  expect(refused.message).toMatch(/at most 20 sites in 24 hours .* deleted ones too.* may make 10 of them/);
  for (let n = 0; n < 10; n += 1) await remove(owner, await newSite(owner));
  expect((await refusal(newSite(owner))).status).toBe(429);
  await newSite(await server.person());
  // A day later.
  const { context } = server.service;
  await db('made_sites')
    .where({ account: owner.userId })
    .update({ created_at: new Date(Date.now() - 86_400_001) });
  await eraseDeletedSites(context.db, context.log, new Date());
  expect(await db('made_sites').where({ account: owner.userId })).toEqual([]);
  await newSite(owner);
});

test('of a deleted site no mail is sent any more, though its rows are still there', async () => {
  const owner = await server.person();
  const { context } = server.service;
  const [gone, kept] = [await newSite(owner), await newSite(owner)];
  for (const { token, id } of [gone, kept]) {
    const request_id = await record(owner, token);
    await resolve(owner, token, request_id);
    const address_key = await addressHash(context.mail, someone());
    await db('mails')
      .where({ environment_id: id, request_id })
      .update({ state: 'pending', ended_at: null, content: Buffer.alloc(1), address_key });
  }
  const waiting = async (): Promise<string[]> =>
    (await sitesWithMail(context.db, NO_SITE, 1_000)).sites
      .filter((id) => [gone.id, kept.id].includes(id))
      .sort();
  expect(await waiting()).toEqual([gone.id, kept.id].sort());
  await owner.client.updateEnvironment({ token: gone.token, body: { status: 'archived' } });
  await owner.client.deleteEnvironment({ token: gone.token, name: NAME, unanswered: true });
  expect(await waiting()).toEqual([kept.id]);
  expect(await claimMails(context.db, gone.id, 5)).toEqual([]);
  expect(await claimMails(context.db, kept.id, 5)).toHaveLength(1);
});

test('of the mails of an account half stay for who began it, whatever those have caused whom it invited', async () => {
  const owner = await server.person();
  const invited = await server.person();
  await db('users').where({ id: invited.userId }).update({ sponsor_id: owner.userId, by_invited: false });
  const [own, theirs] = [await newSite(owner), await newSite(invited)];
  const like = {
    kind: 'request_answered',
    cause: 'member',
    account: String(owner.userId),
    unconfirmed: true,
  };
  await counted(250, { ...like, created_at: new Date() });
  const refusedOne = await resolve(invited, theirs.token, await record(invited, theirs.token));
  expect(refusedOne).toMatchObject({ state: 'withheld' });
  expect(await resolve(owner, own.token, await record(owner, own.token))).not.toMatchObject({
    state: 'withheld',
  });
});

test('of the mails that strangers cause half stay for who began an account, too', async () => {
  const [owner, invited] = [await server.person(), await server.person()];
  await db('users').where({ id: invited.userId }).update({ sponsor_id: owner.userId, by_invited: false });
  const [own, theirs] = [await newSite(owner), await newSite(invited)];
  const ask = async ({ token }: { token: string }): Promise<string> => {
    const sent = await post(server.url, `/api/dsar/${token}`, { request_type: 'access', email: someone() });
    return (await db('mails').where({ request_id: sent.json.data.request_id }).first('state')).state;
  };
  const like = { kind: 'request_received', cause: 'stranger', account: String(owner.userId) };
  await counted(2_499, { ...like, unconfirmed: true, created_at: new Date() });
  expect([await ask(theirs), await ask(theirs), await ask(own)]).toEqual(['unsent', 'withheld', 'unsent']);
});

describe('mails about accounts with subaddresses of one mailbox', () => {
  const [name, domain] = [randomUUID(), 'person.example'];
  const made: number[] = [];
  const account = async (n: number, isVerified: boolean) => {
    const email = n === 0 ? `${name}@${domain}` : `${name}+${n}@${domain}`;
    const { db: knex } = server.service.context;
    return createUser(knex, { email, name: email, passwordHash: 'x', isVerified });
  };
  const queue = (user: { id: number; email: string }, more: Partial<AccountMail>) => {
    const mail = { kind: 'password_reset', userId: user.id, to: user.email, subject: 'S', paragraphs: ['P'] };
    const { mail: mailing, db: knex } = server.service.context;
    return knex.transaction((trx) => queueAccountMail(mailing, trx, { ...mail, ...more }));
  };

  test('have an end where nobody has proved the address', async () => {
    const states: string[] = [];
    for (let n = 1; n <= 70; n += 1) {
      const user = await account(n, false);
      made.push(user.id);
      for (let times = 0; times < 2; times += 1) states.push(await queue(user, { isOwed: true }));
    }
    expect(states.filter((state) => state !== 'withheld')).toHaveLength(60);
    // Warnings of another kind end likewise.
    const warnings: string[] = [];
    for (const id of made) {
      const user = { id, email: `${name}+${made.indexOf(id) + 1}@${domain}` };
      for (let times = 0; times < 2; times += 1) warnings.push(await queue(user, { kind: 'new_device' }));
    }
    expect(warnings.filter((state) => state !== 'withheld')).toHaveLength(60);
  });

  test('take no warning and no link from the account whose address is proved', async () => {
    const owner = await account(0, true);
    expect(await queue(owner, { isOwed: true })).not.toBe('withheld');
    expect(await queue(owner, { kind: 'new_device' })).not.toBe('withheld');
  });
});
