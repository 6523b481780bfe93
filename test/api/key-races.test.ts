import { createAvow } from '@avow/sdk';
import type { Knex } from 'knex';
import { UserRow } from '../../server/src/db/models';
import { hashPassword } from '../../server/src/security/password';
import { choosePassword } from '../../server/src/services/account-links';
import { createLink } from '../../server/src/services/accounts';
import { revokeKeysOf } from '../../server/src/services/api-keys';
import { disableAccount } from '../../server/src/services/disable-account';
import { holdOnNodes, waitingForLocks } from '../helpers/cluster/instruments';
import { notOnCluster } from '../helpers/cluster/skip';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf, member } from '../helpers/site/people';
import { until } from '../helpers/until';
import { INWARD } from '../helpers/webhooks/receiver';

const testOfWaiting = notOnCluster('changes of copied tables, sites and accounts, wait for each other there');
const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
const waits = () => until('it waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
const working = (user_id: number) => db()('api_keys').where({ user_id, revoked_at: null });

/** What ends all keys of an account. */
const ENDS: Record<string, (trx: Knex, user: UserRow) => Promise<unknown>> = {
  'is disabled': disableAccount,
  'gets a new password': async (trx, user) => {
    const code = codeOf(await createLink(server.service.context, trx, user.id));
    return choosePassword(trx, code, {
      name: undefined,
      passwordHash: await hashPassword(PASSWORD),
    });
  },
};

/** Runs a call that begins while the account is being ended, and cannot go on before that is done. */
async function whileEnding(how: string, userId: number, call: () => Promise<unknown>) {
  const trx = await db().transaction();
  try {
    const user = await UserRow.query(trx).findById(userId).forNoKeyUpdate().throwIfNotFound();
    const refused = refusal(call());
    await waits();
    await ENDS[how]?.(trx, user);
    await trx.commit();
    return await refused;
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
}

test.each(Object.keys(ENDS))('no key is made while the account %s', async (how) => {
  const { client, userId } = await server.site();
  const body = { name: 'late', set: 'export' as const };
  const error = await whileEnding(how, userId, () => client.createKey({ body }));
  expect(error.status).toBe(401);
  expect(await working(userId)).toEqual([]);
});

test.each(Object.keys(ENDS))(
  'no key is replaced while the account %s, and neither waits for the other',
  async (how) => {
    const { client, userId } = await server.site();
    const { key_id } = await client.createKey({ body: { name: 'first', set: 'export' } });
    const error = await whileEnding(how, userId, () => client.rotateKey({ key_id, body: {} }));
    expect([401, 409]).toContain(error.status);
    expect(await working(userId)).toEqual([]);
  },
);

test.each(['createKey', 'rotateKey'] as const)(
  '%s for a site waits for a change of the role, and makes none afterwards',
  async (operation) => {
    const owner = await server.site();
    const { token } = owner;
    const other = await member(server, owner, 'owner');
    const body = { name: 'bound', set: 'export' as const, site: token };
    const { key_id } = await other.client.createKey({ body });
    const { id: environment_id } = await db()('environments').where({ token }).first('id');
    const trx = await db().transaction();
    try {
      const where = { environment_id, user_id: other.userId };
      await trx('members').where(where).update({ role: 'viewer' });
      await revokeKeysOf(trx, other.userId, environment_id);
      const refused = refusal(
        operation === 'createKey'
          ? other.client.createKey({ body })
          : other.client.rotateKey({ key_id, body: {} }),
      );
      await waits();
      await trx.commit();
      expect([403, 409]).toContain((await refused).status);
    } finally {
      if (!trx.isCompleted()) await trx.rollback();
    }
    expect(await working(other.userId)).toEqual([]);
  },
);

testOfWaiting('a change by a key that waits while the key is revoked stores nothing', async () => {
  const { client, token } = await server.site();
  const { key, key_id } = await client.createKey({
    body: { name: 'program', scopes: ['environments:write'] },
  });
  const program = createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  const held = `SELECT FROM environments WHERE token = '${token}' FOR UPDATE`;
  const release = await holdOnNodes(server.databaseUrl, held);
  try {
    const refused = refusal(program.updateEnvironment({ token, body: { name: 'Late' } }));
    await waits();
    await client.revokeKey({ key_id });
    await release();
    expect((await refused).status).toBe(401);
  } finally {
    await release();
  }
  expect((await client.getEnvironment({ token })).name).toBe('Example shop');
});

testOfWaiting('a change that waits while its session is ended stores nothing', async () => {
  const { client, token, email } = await server.site();
  const other = createAvow({
    ...{ baseUrl: server.url, fetch: checkedFetch, retries: 0 },
    credentials: { email, password: PASSWORD },
  });
  await other.getMe();
  const held = `SELECT FROM environments WHERE token = '${token}' FOR UPDATE`;
  const release = await holdOnNodes(server.databaseUrl, held);
  try {
    const waiting = client.updateEnvironment({ token, body: { name: 'Late' } }, { retries: 0 });
    const refused = refusal(waiting);
    await waits();
    await other.revokeTokens();
    await release();
    expect((await refused).status).toBe(401);
  } finally {
    await release();
  }
  const now = await db()('environments').where({ token }).first('name');
  expect(now.name).toBe('Example shop');
});
