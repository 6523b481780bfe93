import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { createUser } from '../../server/src/services/accounts';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { codeOf, type Owned, rowsIn } from '../helpers/site/people';

const server = useServer();
const db = (table: string) => server.service.context.db(table);

/** Spellings of one address each. */
const ADDRESSES: [string, readonly string[]][] = [
  [
    'a domain in Unicode and in A-labels',
    ['bob@xn--mnchen-3ya.example', 'bob@münchen.example', 'Bob@MÜNCHEN.example'.normalize('NFD')],
  ],
  ['NFC and NFD', ['rené@v.example'.normalize('NFC'), 'René@v.example'.normalize('NFD')]],
  [
    'both',
    [
      ...['zoë@köln.example'.normalize('NFC'), 'ZOË@köln.example'.normalize('NFD')],
      ...['zoë@xn--kln-sna.example'.normalize('NFC'), 'zoë@xn--kln-sna.example'.normalize('NFD')],
    ],
  ],
];

const formOf = (email: string) => ({
  form_id: 'news',
  form_url: 'https://shop.example.com/',
  subject: { email },
  statements: [{ key: 'a', text: 'Yes.', accepted: true }],
});
const consented = (token: string, email: string) =>
  server.visitor.recordFormConsent({ token, body: formOf(email) });

/** As versions before stored the key: in lower case, as typed. */
async function age(table: string, token: string): Promise<void> {
  for (const { email } of await rowsIn(server, table, token).select('email'))
    await rowsIn(server, table, token).where({ email }).update({ email_key: email.toLowerCase() });
}

/** A site with a form consent and a request of each spelling, and of somebody else. */
async function withRecords(spellings: readonly string[], isOld: boolean) {
  const site = await server.site();
  const { token } = site;
  const requests: string[] = [];
  for (const email of spellings) {
    await consented(token, email);
    requests.unshift((await submit(server, token, { email, name: 'N' })).request_id);
  }
  await consented(token, 'other@v.example');
  await submit(server, token, { email: 'other@v.example' });
  if (isOld) for (const table of ['form_consents', 'dsar_requests']) await age(table, token);
  return { ...site, requests };
}

describe.each(ADDRESSES)('%s', (_, spellings) => {
  describe.each([
    ['rows of this version', false],
    ['rows of the version before', true],
  ])('%s', (_age, isOld) => {
    test('requests and form consents are found by every spelling, and shown as typed', async () => {
      const { client, token, requests } = await withRecords(spellings, isOld);
      for (const email of spellings) {
        const found = await client.listDsar({ token, email });
        expect(found.items.map(({ request_id }) => request_id)).toEqual(requests);
        expect(found.items.map((item) => item.email).reverse()).toEqual(spellings);
        const { items } = await client.listFormConsents({ token, email });
        expect(items.map(({ subject }) => subject.email).reverse()).toEqual(spellings);
      }
    });

    test('an erasure by one spelling takes the others too', async () => {
      for (const email of spellings) {
        const { client, token, requests } = await withRecords(spellings, isOld);
        for (const request_id of requests)
          await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
        const report = await client.eraseSubject({ token, body: { subject: { email } } });
        const counts = Object.fromEntries(report.erased.map(({ kind, count }) => [kind, count]));
        expect(report.complete).toBe(true);
        expect(counts).toMatchObject({ form_consents: spellings.length, requests: spellings.length });
        expect(await rowsIn(server, 'form_consents', token).pluck('email')).toEqual(['other@v.example']);
        expect(await rowsIn(server, 'dsar_requests', token).whereNotNull('name')).toEqual([]);
      }
    });

    test('a second request in another spelling may be a duplicate', async () => {
      const [first = '', ...others] = spellings;
      for (const email of others) {
        const { client, token } = await server.site();
        const { request_id } = await submit(server, token, { email: first });
        if (isOld) await age('dsar_requests', token);
        const second = await submit(server, token, { email });
        expect((await client.getDsar({ token, request_id: second.request_id })).possible_duplicate_of).toBe(
          request_id,
        );
      }
    });
  });
});

/** The same address in two spellings, of somebody new. */
function somebody(): [composed: string, decomposed: string, aLabels: string] {
  const name = `ren\u00e9-${randomUUID()}`;
  const unicode = `${name}@k\u00f6ln.example`;
  return [unicode, unicode.toUpperCase().normalize('NFD'), `${name}@xn--kln-sna.example`];
}

const invited = ({ client, token }: Owned, email: string) =>
  client.addMember({ token, body: { email, role: 'viewer' as const } });
const loggedIn = (email: string) => server.visitor.login({ body: { email, password: PASSWORD } });

/** An account as versions before made it, if wanted. */
async function accountOf(owned: Owned, email: string, isOld: boolean) {
  const { invitation_url } = await invited(owned, email);
  if (isOld) await age('site_invitations', owned.token);
  const code = codeOf(invitation_url);
  const { user } = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  if (isOld) await db('users').where({ id: user.id }).update({ email_key: email.toLowerCase() });
  return user;
}

describe.each([
  ['rows of this version', false],
  ['rows of the version before', true],
])('%s', (_, isOld) => {
  test('an address is invited once, in whatever spelling', async () => {
    const spellings = somebody();
    for (const first of spellings) {
      const site = await server.site();
      await invited(site, first);
      if (isOld) await age('site_invitations', site.token);
      for (const email of spellings)
        expect((await refusal(invited(site, email))).message).toMatch(/invited already/);
    }
  });

  test('a member is not invited again, and logs in, in whatever spelling', async () => {
    const site = await server.site();
    for (const at of [0, 1, 2]) {
      const spellings = somebody();
      const made = await accountOf(site, spellings[at] as string, isOld);
      expect(made.email).toBe(spellings[at]);
      for (const email of spellings) {
        expect((await refusal(invited(site, email))).message).toMatch(/member already/);
        expect((await loggedIn(email)).user).toEqual(made);
      }
    }
  });

  test('an invitation of another spelling is for the account that there is, and makes no second', async () => {
    const [first, second] = somebody();
    const made = await accountOf(await server.site(), first, isOld);
    const other = await server.site();
    const code = codeOf((await invited(other, second)).invitation_url);
    if (isOld) await age('site_invitations', other.token);
    expect(await server.visitor.lookAtInvitation({ body: { code } })).toMatchObject({ has_account: true });
    const refused = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
    expect(refused.message).toMatch(/has an account already/);
    const { token } = await loggedIn(second);
    const client = createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });
    expect(await client.joinEnvironment({ body: { code } })).toMatchObject({ token: other.token });
    expect(await db('members').where({ user_id: made.id })).toHaveLength(2);
  });

  test('failed log-ins count together, in whatever spelling', async () => {
    const [first, second, third] = somebody();
    await accountOf(await server.site(), first, isOld);
    await db('login_failures').delete();
    const refused = async (email: string) =>
      (await refusal(server.visitor.login({ body: { email, password: 'wrong' } }))).status;
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries += 1)
      for (const email of [first, second, third]) statuses.push(await refused(email));
    await db('login_failures').delete();
    expect(statuses).toContain(429);
  });
});

test('two accounts of a version before that are one address stay two, each by its own spelling', async () => {
  const site = await server.site();
  const [composed, decomposed, aLabels] = somebody();
  const made = await accountOf(site, composed, true);
  const key = decomposed.toLowerCase();
  const { password_hash } = await db('users').where({ id: made.id }).first();
  const other = await createUser(server.service.context.db, {
    ...{ email: `${randomUUID()}@v.example`, name: 'Other', passwordHash: password_hash },
  });
  await db('users').where({ id: other.id }).update({ email: decomposed, email_key: key });
  expect((await loggedIn(composed)).user.id).toBe(made.id);
  expect((await loggedIn(decomposed)).user.id).toBe(other.id);
  expect([made.id, other.id]).toContain((await loggedIn(aLabels)).user.id);
});
