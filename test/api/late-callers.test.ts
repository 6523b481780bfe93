import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createAvow, type Input } from '@avow/sdk';
import type { Knex } from 'knex';
import { OPERATION_RULES } from '../../spec/generated/rules';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { notOnCluster } from '../helpers/cluster/skip';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf, rowsIn } from '../helpers/site/people';
import { until } from '../helpers/until';
import { INWARD } from '../helpers/webhooks/receiver';

const testOfWaiting = notOnCluster('changes of copied tables, sites and accounts, wait for each other there');
const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
const waits = () => until('it waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);

/** Sends all of a request but the last byte of its body; what follows sends that, and resolves with the status. */
function begin(path: string, token: string, body: object): () => Promise<number | undefined> {
  const text = JSON.stringify(body);
  const sent = request(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      'Content-Length': Buffer.byteLength(text),
    },
  });
  sent.write(text.slice(0, -1));
  return async () => {
    sent.end(text.slice(-1));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
}

type Site = Awaited<ReturnType<typeof server.site>>;

interface Asked {
  path: string;
  body: object;
  scope: NonNullable<Input<'createKey'>['body']['scopes']>[number];
  /** What is there before, and must be so afterwards. */
  rows: () => Promise<unknown>;
}

/** Changes by transactions of their own, of which each asks whether the caller may go on. */
const CHANGES: Record<string, (site: Site) => Promise<Asked>> = {
  eraseSubject: async ({ token }) => {
    const subject = { email: `${randomUUID()}@visitor.example` };
    const statements = [{ key: 'a', text: 'Yes.', accepted: true }];
    const form = { form_id: 'news', form_url: 'https://shop.example.com/', subject, statements };
    await server.visitor.recordFormConsent({ token, body: form });
    const rows = async () => (await rowsIn(server, 'form_consents', token)).length;
    return { path: `/api/cookies/${token}/erasures`, body: { subject }, scope: 'erasures:write', rows };
  },
  'eraseSubject as a preview': async ({ token }) => {
    const body = { subject: { email: `${randomUUID()}@visitor.example` }, preview: true };
    return { path: `/api/cookies/${token}/erasures`, body, scope: 'erasures:write', rows: async () => [] };
  },
  testWebhook: async ({ client, token }) => {
    const { webhook_id } = await client.createWebhook({
      token,
      body: { url: 'http://127.0.0.1:9/hook', events: ['dsar.created'] },
    });
    const path = `/api/cookies/${token}/webhooks/${webhook_id}/test`;
    const rows = async () => (await rowsIn(server, 'deliveries', token)).length;
    return { path, body: { event: 'dsar.created' }, scope: 'webhooks:write', rows };
  },
  checkDomain: async ({ token }) => {
    const [row] = await db()('environments').where({ token }).select('domains');
    const rows = async () => (await rowsIn(server, 'domain_proofs', token)).map((one) => one.checked_at);
    const path = `/api/cookies/${token}/domains/check`;
    return { path, body: { domain: row.domains[0] }, scope: 'environments:write', rows };
  },
};

test.each(Object.entries(CHANGES))(
  '%s, whose body ends after its key was revoked, changes and tells nothing',
  async (_, prepare) => {
    const site = await server.site();
    const { path, body, scope, rows } = await prepare(site);
    const { key, key_id } = await site.client.createKey({ body: { name: 'late', scopes: [scope] } });
    const before = await rows();
    const end = begin(path, key, body);
    await until('the key is read', async () => {
      const used = await db()('api_keys').where({ key_id }).whereNotNull('used_on').first('key_id');
      return used !== undefined;
    });
    await site.client.revokeKey({ key_id });
    expect(await end()).toBe(401);
    expect(await rows()).toEqual(before);
  },
);

test('each change by a transaction of its own asks there whether its caller may go on', () => {
  const own = Object.entries(OPERATION_RULES).flatMap(([id, rule]) =>
    !rule.transaction && 'audit' in rule && rule.audit === 'change' && /^(account|member)$/.test(rule.access)
      ? [id]
      : [],
  );
  const STAY = ['eraseSession', 'eraseSubject', 'checkDomain', 'redeliver', 'testWebhook'];
  const IN_PARTS = ['putAnswerFilePart', 'putAttachmentPart'];
  // They lock the account and look whether the session goes on, or hold the caller's role meanwhile.
  const OTHERS = ['changePassword', 'confirmTotp', 'logConsentForVisitor', 'reauthenticate'];
  expect(own.sort()).toEqual([...STAY, ...IN_PARTS, ...OTHERS].sort());
});

testOfWaiting('an erasure of a session ends with the key that asks for it', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  const { key, key_id } = await client.createKey({ body: { name: 'late', scopes: ['erasures:write'] } });
  const trx = await db().transaction();
  try {
    await trx('consents').where({ session_id }).select('consent_id').forUpdate();
    const program = createAvow({ baseUrl: server.url, token: key, fetch: checkedFetch, retries: 0 });
    const refused = refusal(program.eraseSession({ token, session_id }));
    await waits();
    await client.revokeKey({ key_id });
    await trx.commit();
    expect((await refused).status).toBe(401);
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
  expect(await rowsIn(server, 'consents', token)).toHaveLength(1);
  expect(await rowsIn(server, 'erasures', token)).toEqual([]);
});

test('a password is not changed, and no session begins, where the session ended before the body did', async () => {
  const { client, userId } = await server.person();
  const { token } = await server.service.context.tokens.issue(userId);
  const { password_hash } = await db()('users').where({ id: userId }).first('password_hash');
  const end = begin('/api/auth/password', token, {
    current_password: PASSWORD,
    new_password: 'nobody else would think of this',
  });
  await until('the session is read', async () => (await sessionsOf(userId)).length > 0);
  await client.revokeTokens();
  expect(await end()).toBe(401);
  const [user] = await db()('users').where({ id: userId });
  expect(user.password_hash).toBe(password_hash);
});

const sessionsOf = (user_id: number) => db()('login_sessions').where({ user_id });

test('a key that was rotated without overlap ends at once, also for what it has begun', async () => {
  const { client, token } = await server.site();
  const body = { name: 'late', scopes: ['webhooks:write' as const] };
  const { key, key_id } = await client.createKey({ body });
  const end = begin(`/api/cookies/${token}/webhooks`, key, { url: 'http://127.0.0.1:9/', events: '*' });
  await until('the key is read', async () => {
    const used = await db()('api_keys').where({ key_id }).whereNotNull('used_on').first('key_id');
    return used !== undefined;
  });
  await client.rotateKey({ key_id, body: { overlap_hours: 0 } });
  expect(await end()).toBe(401);
  expect(await rowsIn(server, 'webhooks', token)).toEqual([]);
  const { items } = await client.listAccountEvents();
  expect(items[0]?.changes).toContainEqual(expect.objectContaining({ field: 'ends_at', before: null }));
});

testOfWaiting('a delivery waits for a change of its webhook, and goes to none that is gone', async () => {
  const { client, token } = await server.site();
  const { webhook_id } = await client.createWebhook({
    token,
    body: { url: 'http://127.0.0.1:9/hook', events: ['dsar.created'] },
  });
  const trx = await db().transaction();
  try {
    await trx('webhooks').where({ webhook_id }).delete();
    const refused = refusal(client.testWebhook({ token, webhook_id, body: {} }, { retries: 0 }));
    await waits();
    await trx.commit();
    expect((await refused).status).toBe(404);
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
  expect(await rowsIn(server, 'deliveries', token)).toEqual([]);
});

testOfWaiting('an invitation that becomes one of an owner while it is accepted lets nobody in', async () => {
  const { client, token, userId } = await server.site();
  const email = `${randomUUID()}@example.com`;
  const { invitation_url } = await client.addMember({ token, body: { email, role: 'viewer' } });
  const trx = await db().transaction();
  try {
    await trx('users').where({ id: userId }).forUpdate();
    const body = { code: codeOf(invitation_url), password: PASSWORD, name: 'Late' };
    const refused = refusal(server.visitor.acceptInvitation({ body }, { retries: 0 }));
    await waits();
    await db()('site_invitations').where({ email }).update({ role: 'owner' });
    await trx.commit();
    expect((await refused).status).toBe(409);
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
  expect(await rowsIn(server, 'members', token)).toHaveLength(1);
});
