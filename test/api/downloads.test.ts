import { randomUUID } from 'node:crypto';
import { exportBreaches } from '../../server/src/api/breaches';
import { exportConsents } from '../../server/src/api/consents';
import type { Download } from '../../server/src/api/handler';
import { EnvironmentRow, UserRow } from '../../server/src/db/models';
import { disableAccount } from '../../server/src/services/disable-account';
import { type Client, useServer } from '../helpers/server';
import { copyRow } from '../helpers/site/copy-row';
import { breachInput } from '../helpers/site/data-subject-requests';
import { member } from '../helpers/site/people';

const server = useServer();

const log = (token: string) =>
  server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });

/** Makes so many more of the records of a site, with a long text in a column of each. */
async function multiply(token: string, table: 'consents' | 'breaches', count: number, text = '') {
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const [key, column] = table === 'consents' ? ['consent_id', 'user_agent'] : ['breach_id', 'description'];
  const changes = { [key]: 'gen_random_uuid()', [column]: '?::text' };
  await copyRow(db, table, id, { copies: count, changes, values: [text] });
}

/** Records of two kilobytes: Linux may buffer more than 32 MiB of an answer that nobody reads. */
const BEYOND_BUFFERS = 20_000;

/** Two batches of a kind of records, and how one more is made. */
const KINDS = {
  consents: {
    handler: exportConsents as unknown as (...input: unknown[]) => Promise<Download>,
    more: (_: Client, token: string) => log(token),
    batch: 1_000,
  },
  breaches: {
    handler: exportBreaches as unknown as (...input: unknown[]) => Promise<Download>,
    more: (client: Client, token: string) => client.createBreach({ token, body: breachInput() }),
    batch: 100,
  },
};

test.each(Object.entries(KINDS))(
  '%s: what is recorded while a file is read is not in it',
  async (name, kind) => {
    const { client, token } = await server.site();
    await kind.more(client, token);
    await multiply(token, name as keyof typeof KINDS, 2 * kind.batch + 9);
    const { context } = server.service;
    const environment = await EnvironmentRow.query(context.db).findOne({ token }).throwIfNotFound();
    const { content } = await kind.handler(context, { environment, query: {}, role: 'owner', caller: {} });
    await kind.more(client, token);
    let text = '';
    for await (const piece of content) text += piece;
    expect(text.trimEnd().split('\n')).toHaveLength(2 * kind.batch + 10);
  },
);

test('whoever is removed, disabled, or whose tokens are revoked gets no more of a file', async () => {
  const { client, token } = await server.site();
  await log(token);
  await multiply(token, 'consents', BEYOND_BUFFERS, 'x'.repeat(2_000));
  const { db, tokens } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const ends: Record<string, (reader: { client: Client; userId: number }) => Promise<unknown>> = {
    removed: (reader) => client.removeMember({ token, user_id: reader.userId }),
    disabled: async ({ userId }) =>
      disableAccount(db, await UserRow.query(db).findById(userId).throwIfNotFound()),
    revoked: (reader) => reader.client.revokeTokens(),
    stays: async () => undefined,
  };
  const outcomes: Record<string, string> = {};
  for (const [name, end] of Object.entries(ends)) {
    const reader = await server.person();
    await db('members').insert({
      environment_id: id,
      user_id: reader.userId,
      role: 'viewer',
      added_at: new Date(),
    });
    const { token: bearer } = await tokens.issue(reader.userId);
    const response = await fetch(`${server.url}/api/cookies/${token}/consents/export`, {
      headers: { Authorization: `Bearer ${bearer}`, 'Accept-Encoding': 'identity' },
    });
    const body = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await body.read();
    await end(reader);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    outcomes[name] = await drain(body);
  }
  expect(outcomes).toEqual({ removed: 'cut', disabled: 'cut', revoked: 'cut', stays: 'whole' });
});

test('a file with ids of sessions breaks off when its reader becomes a viewer, who is not shown them', async () => {
  const { client, token } = await server.site();
  const { client: reader, userId } = await member(server, { client, token }, 'operator');
  await log(token);
  await multiply(token, 'consents', BEYOND_BUFFERS, 'x'.repeat(2_000));
  const { token: bearer } = await server.service.context.tokens.issue(userId);
  const response = await fetch(`${server.url}/api/cookies/${token}/consents/export`, {
    headers: { Authorization: `Bearer ${bearer}`, 'Accept-Encoding': 'identity' },
  });
  const body = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  await body.read();
  await client.updateMember({ token, user_id: userId, body: { role: 'viewer' } });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await drain(body)).toBe('cut');
  expect((await reader.listConsents({ token, limit: 1 })).items).toHaveLength(1);
});

async function drain(body: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  try {
    while (!(await body.read()).done);
    return 'whole';
  } catch {
    return 'cut';
  }
}
