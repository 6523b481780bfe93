import { randomBytes, randomUUID } from 'node:crypto';
import { addressHash } from '../../server/src/mail/addresses';
import { MEMBERS, UNCONFIRMED, UNCONFIRMED_OF_ONE } from '../../server/src/mail/limits';
import { siteId } from '../helpers/mail/notices';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { clientOf } from '../helpers/second-factor';
import { type Client, useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

jest.setTimeout(120_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);
const db = (table: string) => server.service.context.db(table);

type Owner = Awaited<ReturnType<typeof server.person>>;

/** Somebody, or a program, at a site. */
interface At {
  client: Client;
  token: string;
}

const someone = (): string => `${randomUUID()}@person.example`;
const answer = { resolution: 'fulfilled', answer: 'Yes.' } as const;

const newSite = async ({ client }: Owner, name = 'Example shop'): Promise<At> => {
  const { token } = await client.createEnvironment({ body: { name, domain: 'shop.example.com' } });
  return { client, token };
};

/** An account that another one has invited. */
async function invitedBy(owner: Owner): Promise<Owner> {
  const invited = await server.person();
  await db('users').where({ id: invited.userId }).update({ sponsor_id: owner.userId, by_invited: false });
  return invited;
}

async function record({ client, token }: At, email: string): Promise<string> {
  const received_on = new Date().toISOString().slice(0, 10);
  const body = { request_type: 'access', channel: 'letter', received_on, email } as const;
  return (await client.recordDsar({ token, body })).request_id;
}

/** Whether the answer to a request is mailed. */
async function resolve({ client, token }: At, request_id: string): Promise<boolean> {
  await client.resolveDsar({ token, request_id, body: answer });
  return (await client.getDsar({ token, request_id })).undelivered.length === 0;
}

/** How many answers to an address are mailed, by a request that is resolved and reopened by turns, and some more such. */
async function answersTo(at: At, email: string, tries: number): Promise<number> {
  let mailed = 0;
  let request_id = '';
  for (let n = 0; n < tries; n += 1) {
    if (n % 10 === 0) request_id = await record(at, email);
    else await at.client.reopenDsar({ token: at.token, request_id, body: { reason: 'Again.' } });
    if (await resolve(at, request_id)) mailed += 1;
  }
  return mailed;
}

/** How many of so many answers are mailed, each to another address that nobody has confirmed. */
async function answersToAnybody(at: At, tries: number): Promise<number> {
  let mailed = 0;
  for (let n = 0; n < tries; n += 1) if (await resolve(at, await record(at, someone()))) mailed += 1;
  return mailed;
}

/** As if so many mails had been sent today by members, each to another address if none is named. */
async function counted(count: number, like: object): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    ...{ mail_id: randomUUID(), site_id: randomUUID(), address_key: randomBytes(32), maker: 'founder' },
    ...{ kind: 'request_answered', cause: 'member', unconfirmed: true, created_at: new Date() },
    ...like,
  }));
  await server.service.context.db.batchInsert('mail_counts', rows, 500);
}

/** What those who are no owners have of a number. */
const threeQuarters = (most: number): number => Math.ceil(most * (3 / 4));

test('whoever works at one site stops no answer of another one to a person whom they choose', async () => {
  const owner = await server.person();
  const [own, other] = [await newSite(owner, 'First shop'), await newSite(owner, 'Second shop')];
  const email = someone();
  const operator = await member(server, own, 'operator');
  const { key } = await owner.client.createKey({
    body: { name: 'Desk', set: 'dsar_desk', site: own.token },
  });
  const byOperator = await answersTo({ ...operator, token: own.token }, email, 20);
  expect(byOperator).toBe(threeQuarters(MEMBERS.address));
  expect(await answersTo({ client: clientOf(server, key), token: own.token }, email, 12)).toBe(0);
  const request_id = await record(other, email);
  await db('dsar_requests').where({ request_id }).update({ email_verified_at: new Date() });
  expect(await resolve(other, request_id)).toBe(true);
  const arrived = await mailServer.until(byOperator + 1, email);
  const names = arrived.map(({ parsed }) => parsed.from?.value[0]?.name);
  expect(names.filter((name) => name === 'Second shop')).toHaveLength(1);
  // And those who own the site that was used up have the rest of it.
  expect(await answersTo(own, email, 5)).toBe(MEMBERS.address - byOperator);
});

test('a site is owed answers to a person when others have used up what its account may, up to twice of it', async () => {
  const owner = await server.person();
  const sites = [await newSite(owner), await newSite(owner)];
  const email = someone();
  const address_key = await addressHash(server.service.context.mail, email);
  const like = { address_key, account: String(owner.userId) };
  await counted(MEMBERS.addressOfAccount, like);
  expect(await answersTo(sites[0] as At, email, 5)).toBe(MEMBERS.anywayOfSite);
  await counted(MEMBERS.addressOfAccount - MEMBERS.anywayOfSite - 1, like);
  expect(await answersTo(sites[1] as At, email, 2)).toBe(1);
});

test('it is owed them where other accounts have sent much as well, and nobody’s mailbox is filled', async () => {
  const owner = await server.person();
  const site = await newSite(owner);
  const email = someone();
  const address_key = await addressHash(server.service.context.mail, email);
  await counted(MEMBERS.anyway, { address_key, account: String(owner.userId) });
  const others = MEMBERS.addressOfAll - MEMBERS.anyway;
  for (let n = 0; n < others; n += 1) await counted(1, { address_key, account: randomUUID() });
  expect(await answersTo(site, email, 5)).toBe(MEMBERS.anywayOfSite);
  const rest = MEMBERS.addressAtMost - MEMBERS.addressOfAll - MEMBERS.anywayOfSite;
  await counted(rest, { address_key, account: randomUUID() });
  expect(await answersTo(await newSite(owner), email, 1)).toBe(0);
});

test('of what goes to addresses that nobody has confirmed one site causes half, and owners have the last quarter', async () => {
  const owner = await server.person();
  const [own, second, third] = [await newSite(owner), await newSite(owner), await newSite(owner)];
  const like = { account: String(owner.userId) };
  const site_id = await siteId(server, own.token);
  await counted(threeQuarters(UNCONFIRMED / 2) - 5, { ...like, site_id });
  const operatorAt = async (site: At): Promise<At> => ({
    ...(await member(server, site, 'operator')),
    token: site.token,
  });
  expect(await answersToAnybody(await operatorAt(own), 7)).toBe(5);
  // Its owners have the rest of its half, and not more: it is others' that they would take.
  await counted(UNCONFIRMED / 2 - threeQuarters(UNCONFIRMED / 2) - 2, { ...like, site_id });
  expect(await answersToAnybody(own, 4)).toBe(2);
  const operator = await operatorAt(second);
  expect(await answersToAnybody(operator, 3)).toBe(3);
  await counted(UNCONFIRMED / 4 - 5, { ...like, site_id: await siteId(server, second.token) });
  expect(await answersToAnybody(operator, 4)).toBe(2);
  const { key } = await owner.client.createKey({
    body: { name: 'Desk', set: 'dsar_desk', site: third.token },
  });
  const program = { client: clientOf(server, key), token: third.token };
  const request_id = await record(program, someone());
  expect(await resolve(program, request_id)).toBe(false);
  const [withheld] = (await program.client.getDsar({ token: third.token, request_id })).undelivered;
  expect(withheld?.error).toMatch(/The last quarter of them is for owners who are logged in/);
  expect(await answersToAnybody(third, 3)).toBe(3);
  await counted(UNCONFIRMED / 4 - 5, like);
  expect(await answersToAnybody(third, 4)).toBe(2);
});

test('an invited account leaves those that were invited beside it some of their half', async () => {
  const owner = await server.person();
  const [one, two, three] = [await invitedBy(owner), await invitedBy(owner), await invitedBy(owner)];
  const account = String(owner.userId);
  const by = ({ userId }: Owner) => ({ account, maker: `account ${userId}` });
  await counted(UNCONFIRMED / 4 - 1, by(one));
  // All sites of theirs together.
  expect(await answersToAnybody(await newSite(one), 2)).toBe(1);
  expect(await answersToAnybody(await newSite(one), 1)).toBe(0);
  await counted(threeQuarters(UNCONFIRMED / 2) - UNCONFIRMED / 4 - 1, by(two));
  expect(await answersToAnybody(await newSite(two), 2)).toBe(1);
  const late = [await newSite(three), await newSite(three)];
  let mailed = 0;
  for (let n = 0; n < UNCONFIRMED_OF_ONE + 3; n += 1) mailed += await answersToAnybody(late[n % 2] as At, 1);
  expect(mailed).toBe(UNCONFIRMED_OF_ONE);
  // The half of whoever invited them is there.
  expect(await answersToAnybody(await newSite(owner), 1)).toBe(1);
});

test('what an invited account sends a person takes no answer from another one, and many sites give nothing', async () => {
  const owner = await server.person();
  const [one, other] = [await invitedBy(owner), await invitedBy(owner)];
  const email = someone();
  const sites: At[] = [];
  for (let n = 0; n < 3; n += 1) sites.push(await newSite(one));
  let mailed = 0;
  for (const site of sites) mailed += await answersTo(site, email, 16);
  expect(mailed).toBe(Math.ceil(MEMBERS.addressOfAccount / 2));
  const others = [await newSite(other), await newSite(other)];
  expect(await answersTo(others[0] as At, email, 2)).toBe(2);
  expect(await answersTo(others[1] as At, email, 3)).toBe(MEMBERS.anywayOfSite - 2);
});

test('whatever those send whom somebody invited, half of what goes to a person stays for whoever invited them', async () => {
  const owner = await server.person();
  const [first, second] = [await newSite(owner), await newSite(owner)];
  const email = someone();
  const address_key = await addressHash(server.service.context.mail, email);
  const account = String(owner.userId);
  const half = MEMBERS.addressOfAccount / 2;
  // Each is owed some, all of them together as much as the account may.
  for (let n = 0; n < MEMBERS.addressOfAccount - 2; n += 1)
    await counted(1, { address_key, account, maker: `account ${randomUUID()}` });
  expect(await answersTo(await newSite(await invitedBy(owner)), email, 3)).toBe(2);
  expect(await answersTo(await newSite(await invitedBy(owner)), email, 1)).toBe(0);
  const operator = { ...(await member(server, first, 'operator')), token: first.token };
  const byOperator = threeQuarters(MEMBERS.addressOfAccount) - half;
  expect(await answersTo(operator, email, byOperator + 2)).toBe(byOperator);
  expect(await answersTo(first, email, half - byOperator + 2)).toBe(half - byOperator);
  // And what a site is owed, up to twice of what the account may.
  expect(await answersTo(second, email, MEMBERS.anywayOfSite + 1)).toBe(MEMBERS.anywayOfSite);
  const owed = MEMBERS.addressOfAccount - half - MEMBERS.anywayOfSite;
  await counted(owed - 1, { address_key, account });
  expect(await answersTo(await newSite(owner), email, 2)).toBe(1);
});

test('nor do they take what the account is owed where all accounts have sent much', async () => {
  const owner = await server.person();
  const email = someone();
  const address_key = await addressHash(server.service.context.mail, email);
  const account = String(owner.userId);
  await counted(MEMBERS.addressOfAll - MEMBERS.anyway + 1, { address_key, account: randomUUID() });
  await counted(MEMBERS.anyway - 1, { address_key, account, maker: 'account 0' });
  // Half of twice ten.
  expect(await answersTo(await newSite(await invitedBy(owner)), email, 3)).toBe(1);
  let mailed = 0;
  for (let n = 0; n < 4; n += 1) mailed += await answersTo(await newSite(owner), email, 3);
  expect(mailed).toBe(MEMBERS.anyway);
});

test('codes for files take no answer’s place at a site', async () => {
  const owner = await server.person();
  const site = await newSite(owner);
  const email = someone();
  const address_key = await addressHash(server.service.context.mail, email);
  const of = { address_key, account: String(owner.userId), site_id: await siteId(server, site.token) };
  await counted(MEMBERS.address, { ...of, kind: 'answer_code' });
  expect(await answersTo(site, email, MEMBERS.address + 1)).toBe(MEMBERS.address);
});
