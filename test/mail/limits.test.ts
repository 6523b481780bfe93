import { randomInt, randomUUID } from 'node:crypto';
import { erasureOf } from '../../server/src/db/erase-site';
import { eraseOldMails } from '../../server/src/mail/erase-mails';
import { MEMBERS, STRANGERS } from '../../server/src/mail/limits';
import { post } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

jest.setTimeout(120_000);

const server = useServer({ variables: { TRUST_PROXY: '1', SITES_PER_ACCOUNT: '50' } });

type Owner = Awaited<ReturnType<typeof server.person>>;

const someone = (): string => `${randomUUID()}@person.example`;

const newSite = async ({ client }: Owner): Promise<string> =>
  (await client.createEnvironment({ body: { name: 'Example shop', domain: 'shop.example.com' } })).token;

/** What becomes of the mail of a request's step: of what an owner records and answers. */
async function answer({ client }: Owner, token: string, email: string): Promise<string | undefined> {
  const received_on = new Date().toISOString().slice(0, 10);
  const body = { request_type: 'access', channel: 'letter', received_on, email } as const;
  const { request_id } = await client.recordDsar({ token, body });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', answer: 'Yes.' } });
  return stateOf(request_id, 'request_answered');
}

/** The same of what a stranger asks for, each from another network. */
async function ask(token: string, email: string): Promise<string | undefined> {
  const headers = { 'X-Forwarded-For': `${randomInt(11, 100)}.${randomInt(256)}.${randomInt(256)}.1` };
  const sent = await post(server.url, `/api/dsar/${token}`, { request_type: 'access', email }, headers);
  return stateOf(sent.json.data.request_id, 'request_received');
}

const stateOf = async (request_id: string, kind: string): Promise<string | undefined> =>
  (await server.service.context.db('mails').where({ request_id, kind }).first('state'))?.state;

/** How many of so many were not withheld. */
async function passed(count: number, one: (n: number) => Promise<string | undefined>): Promise<number> {
  let n = 0;
  for (let tried = 0; tried < count; tried += 1) if ((await one(tried)) === 'unsent') n += 1;
  return n;
}

test('whoever makes sites, deletes them or erases a person mails them no more than an account may, but for what a site is owed', async () => {
  const { db } = server.service.context;
  const owner = await server.person();
  const email = someone();
  let count = 0;
  for (let n = 0; n < 4; n += 1) {
    const token = await newSite(owner);
    const { id } = await db('environments').where({ token }).first('id');
    count += await passed(12, () => answer(owner, token, email));
    if (n === 0) {
      await owner.client.eraseSubject({ token, body: { subject: { email } } });
      continue;
    }
    await owner.client.updateEnvironment({ token, body: { status: 'archived' } });
    await owner.client.deleteEnvironment({ token, name: 'Example shop', unanswered: true });
    for await (const _ of erasureOf(db, id));
    expect(await db('mails').where({ environment_id: id })).toEqual([]);
  }
  // The last of them is owed a few, as it would be if the others were not its owner's.
  expect(count).toBe(MEMBERS.addressOfAccount + MEMBERS.anywayOfSite);
});

test('what other accounts have mailed to a person keeps no answer away, and their mailbox is not filled', async () => {
  const { db } = server.service.context;
  const email = someone();
  const first = await server.person();
  await answer(first, await newSite(first), email);
  const [row] = await db('mail_counts').where({ cause: 'member' }).orderBy('mail_id', 'desc');
  // As other accounts' answers of today.
  const add = (count: number) =>
    db('mail_counts').insert(
      Array.from({ length: count }, () => ({
        ...{ ...row, mail_id: randomUUID(), site_id: randomUUID(), account: randomUUID() },
      })),
    );
  await add(MEMBERS.addressOfAll - 1);
  const owner = await server.person();
  const sites = [await newSite(owner), await newSite(owner)];
  // Owed to the account, however many sites it has.
  const count = await passed(MEMBERS.anyway + 4, (n) => answer(owner, sites[n % 2] as string, email));
  expect(count).toBe(MEMBERS.anyway);
  await add(MEMBERS.addressAtMost - MEMBERS.addressOfAll - MEMBERS.anyway - 1);
  const last = await server.person();
  const token = await newSite(last);
  expect([await answer(last, token, email), await answer(last, token, email)]).toEqual([
    ...['unsent', 'withheld'],
  ]);
  // A day later.
  await db('mail_counts').update({ created_at: new Date(Date.now() - 86_400_001) });
  expect(await answer(last, token, email)).toBe('unsent');
  await eraseOldMails(db, new Date());
  expect(await db('mail_counts').where({ address_key: row.address_key })).toHaveLength(1);
});

test('answers of members take no confirmation of a request away', async () => {
  const rival = await server.person();
  const email = someone();
  const own = await newSite(rival);
  expect(await passed(16, () => answer(rival, own, email))).toBe(MEMBERS.address);
  const { token } = await server.site();
  expect(await ask(token, email)).toBe('unsent');
});

test('requests at other sites take no confirmation away, until there are far too many', async () => {
  const rival = await server.person();
  const email = someone();
  const sites: string[] = [];
  for (let n = 0; n < 5; n += 1) sites.push(await newSite(rival));
  // Of one account all that strangers can cause, with five of each site.
  const ofRival = await passed(25, (n) => ask(sites[n % 5] as string, email));
  expect(ofRival).toBe(STRANGERS.addressOfAll);
  const others = STRANGERS.addressAtMost - STRANGERS.addressOfAll;
  const tokens = await Promise.all(Array.from({ length: others }, async () => (await server.site()).token));
  expect(await ask(tokens[0] as string, email)).toBe('unsent');
  expect(await ask(tokens[0] as string, email)).toBe('withheld');
  expect(await passed(others - 1, (n) => ask(tokens[n + 1] as string, email))).toBe(others - 1);
  expect(await ask((await server.site()).token, email)).toBe('withheld');
});

test('a mailbox of two domains is one', async () => {
  const { token } = await server.site();
  const name = randomUUID().replaceAll('-', '');
  const spellings = [`${name}@gmail.com`, `${name}@googlemail.com`, `${name}+1@googlemail.com`];
  expect(await passed(9, (n) => ask(token, spellings[n % 3] as string))).toBe(STRANGERS.address);
});
