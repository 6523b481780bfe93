import { UserRow } from '../../server/src/db/models';
import { tellMembers } from '../../server/src/jobs/notices';
import { disableAccount } from '../../server/src/services/disable-account';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { join, member } from '../helpers/site/people';

// Records are long where people make them so: what is done with them costs no more than what was sent.

const server = useServer({
  // Nothing is mailed by a process without the worker's role.
  variables: { ROLE: 'api', SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' },
});
const db = () => server.service.context.db;

const BREACH = {
  ...{ title: 'Lost laptop', nature: 'Confidentiality', severity: 'high' as const },
  ...{ data_categories: ['names'], subject_categories: ['customers'] },
  ...{ consequences: 'Unknown.', measures: 'Remote wipe.', aware_at: new Date().toISOString() },
};

test('a history that is full takes no more cycles and no assignment, and what must be done can be done', async () => {
  const site = await server.site();
  const { token } = site;
  const bob = await member(server, site, 'operator');
  const { request_id } = await submit(server, token, { request_type: 'access', email: 'ada@example.com' });
  const path = { token, request_id };
  const resolve = () =>
    bob.client.resolveDsar({ ...path, body: { resolution: 'duplicate', note: 'n'.repeat(10_000) } });
  const reopen = () => bob.client.reopenDsar({ ...path, body: { reason: 'r'.repeat(2_000) } });
  await bob.client.assignDsar({ ...path, body: { assignee: 'me' } });
  for (let cycle = 0; cycle < 4; cycle += 1) {
    await resolve();
    await reopen();
  }
  await resolve();
  const full = { status: 409, message: expect.stringContaining('history of this record is full') };
  expect(await refusal(reopen())).toMatchObject(full);
  await bob.client.assignDsar({ ...path, body: { assignee: null } });
  expect(await refusal(bob.client.assignDsar({ ...path, body: { assignee: 'me' } }))).toMatchObject(full);
  // An owner takes back what an operator did.
  await site.client.reopenDsar({ ...path, body: { reason: 'It was no duplicate.' } });
  expect((await site.client.getDsar(path)).history).toHaveLength(13);
});

test('operators and keys leave owners room in a history to take back what they did', async () => {
  const site = await server.site();
  const bob = await member(server, site, 'operator');
  const { breach_id } = await site.client.createBreach({
    token: site.token,
    body: { ...BREACH, description: 'd' },
  });
  const path = { token: site.token, breach_id };
  const reason = '\u4e2d'.repeat(5_000);
  const refused = async () => {
    for (let n = 0; n < 10; n += 1) {
      await bob.client.markBreachNotReportable({ ...path, body: { reason } });
      const outcome = await refusal(bob.client.reopenBreach({ ...path, body: { reason } })).catch(
        () => undefined,
      );
      if (outcome !== undefined) return outcome;
    }
    throw new Error('nothing was refused');
  };
  expect(await refused()).toMatchObject({
    status: 409,
    message: expect.stringContaining('an owner who is logged in'),
  });
  await site.client.reopenBreach({ ...path, body: { reason: 'It must be reported.' } });
  expect((await site.client.reportBreach({ ...path, body: { authority: 'CNIL' } })).status).toBe('reported');
});

test('the warnings of a site are made without reading whole records', async () => {
  const { client, token } = await server.site();
  await client.recordDsar({
    token,
    body: {
      ...{
        request_type: 'access',
        channel: 'letter',
        contact: '12 Harbour Street',
        message: 'm'.repeat(9_000),
      },
      received_on: '2026-01-05',
    },
  });
  await client.createBreach({
    token,
    body: {
      ...BREACH,
      description: 'd'.repeat(9_000),
      aware_at: new Date(Date.now() - 60 * 3_600_000).toISOString(),
    },
  });
  const asked: string[] = [];
  const note = ({ sql }: { sql: string }) => asked.push(sql);
  db().on('query', note);
  const { items } = await client.listWarnings({ token });
  db().removeListener('query', note);
  expect(items.map(({ code }) => code)).toEqual(expect.arrayContaining(['dsar_overdue', 'breach_clock']));
  const ofRecords = asked.filter((sql) => /from "(dsar_requests|breaches)"/.test(sql));
  expect(ofRecords).toHaveLength(2);
  expect(
    ofRecords.filter((sql) => /\*|history|message|description/.test(sql.split(' from ')[0] ?? '')),
  ).toEqual([]);
});

test('choices that hold already leave nothing in the trail', async () => {
  const { client } = await server.person();
  const body = { request_received: 'daily' as const };
  for (let n = 0; n < 3; n += 1) await client.updateNotificationSettings({ body });
  const { items } = await client.listAccountEvents({});
  expect(items.filter(({ operation }) => operation === 'updateNotificationSettings')).toHaveLength(1);
});

test('what waits to be mailed about a site goes to nobody who was removed from it', async () => {
  const site = await server.site();
  const [gone, stays] = [await member(server, site, 'operator'), await member(server, site, 'operator')];
  await submit(server, site.token, { request_type: 'access', email: 'ada@example.com' });
  await tellMembers(server.service.context, new Date());
  const states = () =>
    db()('mails')
      .whereIn('user_id', [gone.userId, stays.userId])
      .where({ kind: 'notice' })
      .orderBy('user_id')
      .select('user_id', 'state', db().raw('content IS NULL AS emptied'));
  expect((await states()).map(({ state }) => state)).toEqual(['pending', 'pending']);
  await site.client.removeMember({ token: site.token, user_id: gone.userId });
  expect(await states()).toEqual([
    { user_id: gone.userId, state: 'withheld', emptied: true },
    { user_id: stays.userId, state: 'pending', emptied: false },
  ]);
});

test('whoever is disabled keeps no request, and gets nothing that waits to be mailed', async () => {
  const sites = [await server.site(), await server.site()] as const;
  const gone = await member(server, sites[0], 'operator');
  await join(sites[1], gone, 'owner');
  const assigned = await Promise.all(
    sites.map(async ({ client, token }) => {
      const { request_id } = await submit(server, token, {
        request_type: 'access',
        email: 'ada@example.com',
      });
      await client.assignDsar({ token, request_id, body: { assignee: gone.userId } });
      return () => client.getDsar({ token, request_id });
    }),
  );
  await tellMembers(server.service.context, new Date());
  const waiting = () => db()('mails').where({ user_id: gone.userId, state: 'pending' });
  expect(await waiting()).toHaveLength(2);
  await db().transaction(async (trx) => {
    const user = await UserRow.query(trx).findById(gone.userId).throwIfNotFound();
    await disableAccount(trx, user);
  });
  for (const read of assigned) {
    const { assignee, history } = await read();
    expect([assignee, history.at(-1)?.note]).toEqual([null, 'Their account was disabled.']);
  }
  expect(await waiting()).toEqual([]);
});

describe('where requests are limited', () => {
  const limited = useServer({
    variables: { ROLE: 'api', RATE_LIMIT: 'on' },
    // Of owners forty.
    limits: { perAddress: 8, perSite: 100_000 },
  });

  test.each([
    ['short', 10, 0],
    ['long', 9_900, 3],
  ])('what is sealed of a %s record counts as if it were sent', async (_name, length, refused) => {
    const { client, token } = await limited.site();
    const { breach_id } = await client.createBreach({
      token,
      body: {
        ...BREACH,
        ...{
          description: 'd'.repeat(length),
          consequences: 'c'.repeat(length),
          measures: 'm'.repeat(length),
        },
      },
    });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const change = client.updateBreach({ token, breach_id, body: { affected_subjects: n + 1 } });
      statuses.push(
        await change.then(
          () => 200,
          ({ status }) => status,
        ),
      );
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(refused);
    if (refused === 0) expect(statuses).not.toContain(429);
  });
});
