import { randomUUID } from 'node:crypto';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { addTrigger, waitingForLocks } from '../helpers/cluster/instruments';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { codeOf, member, rowsIn } from '../helpers/site/people';
import { rowsOf, tablesOf } from '../helpers/site/rows';
import { until } from '../helpers/until';

const server = useServer();

const decide = (token: string) =>
  server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });

/** A site with something in most tables, archived. */
async function archived() {
  const site = await server.site();
  const { client, token } = site;
  await decide(token);
  await submit(server, token);
  await client.createBreach({ token, body: breachInput() });
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  await client.generateBundle({ token, body: {} });
  await decide(token);
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  return { ...site, name: (await client.getEnvironment({ token })).name };
}

test('an archived site refuses its visitors and stays readable, and can be taken up again', async () => {
  const { client, token } = await archived();
  const refused = await refusal(decide(token));
  expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('archived')]);
  expect((await fetch(`${server.url}/api/bundles/${token}.js`)).status).toBe(403);
  const { status, revision } = await client.getEnvironment({ token });
  expect(status).toBe('archived');
  expect((await client.listEnvironments({})).items.map((site) => site.status)).toEqual(['archived']);
  expect((await client.listConsents({ token })).items).toHaveLength(2);
  expect((await (await client.exportConsents({ token })).text()).trimEnd().split('\n')).toHaveLength(2);
  // A change of something else leaves it archived.
  const named = await client.updateEnvironment({ token, body: { name: 'Old shop' } });
  expect([named.status, named.revision === revision]).toEqual(['archived', false]);
  await client.updateEnvironment({ token, body: { status: 'active' } });
  await decide(token);
});

test('a deletion asks for an archived site and its name', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { name } = await client.getEnvironment({ token });
  const early = await refusal(client.deleteEnvironment({ token, name, unanswered: true }));
  expect([early.status, early.message]).toEqual([409, expect.stringContaining('archive')]);
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  const wrong = await refusal(client.deleteEnvironment({ token, name: `${name}!` }));
  expect([wrong.status, pathsOf(wrong)]).toEqual([400, ['query.name']]);
  const operator = await member(server, site, 'operator');
  expect((await refusal(operator.client.deleteEnvironment({ token, name, unanswered: true }))).status).toBe(
    403,
  );
  expect((await client.getEnvironment({ token })).status).toBe('archived');
});

test('a site with an open request or breach is only deleted when that is said', async () => {
  const { client, token } = await server.site();
  const { name } = await client.getEnvironment({ token });
  const { request_id } = await submit(server, token);
  const { breach_id } = await client.createBreach({ token, body: breachInput() });
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  const both = await refusal(client.deleteEnvironment({ token, name }));
  expect([both.status, both.message]).toEqual([409, expect.stringMatching(/requests \(1\).*upon \(1\)/)]);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const breach = await refusal(client.deleteEnvironment({ token, name }));
  expect([breach.status, breach.message]).toEqual([409, expect.stringContaining('requests (0)')]);
  await client.markBreachNotReportable({
    token,
    breach_id,
    body: { reason: 'No risk: the disk was encrypted.' },
  });
  expect(await client.deleteEnvironment({ token, name })).toMatchObject({ token, name });
});

test('a deleted site is gone for its members at once, its webhooks end, and a job erases every row of it', async () => {
  const { client, token, name } = await archived();
  const other = await server.site();
  await decide(other.token);
  const { db, log } = server.service.context;
  const untouched = await rowsOf(db, other.token);
  const { id } = await db('environments').where({ token }).first('id');
  expect(await client.deleteEnvironment({ token, name, unanswered: true })).toEqual({
    token,
    name,
    deleted_at: expect.any(String),
  });
  expect((await refusal(client.getEnvironment({ token }))).status).toBe(404);
  expect((await client.listEnvironments({})).items).toEqual([]);
  expect(await rowsIn(server, 'webhooks', token)).toEqual([]);
  expect((await refusal(decide(token))).status).toBe(403);
  // What is on its way arrives first.
  await eraseDeletedSites(db, log, new Date());
  expect(await rowsIn(server, 'consents', token)).toHaveLength(2);
  await eraseDeletedSites(db, log, new Date(Date.now() + 3_600_000));
  for (const [table, columns] of await tablesOf(db)) {
    const column = table === 'environments' ? 'id' : 'environment_id';
    // The audit trail outlives the site: test/jobs/audit.test.ts.
    if (!columns.includes(column) || table === 'audit_events') continue;
    expect([table, await db(table).where(column, id)]).toEqual([table, []]);
  }
  expect(await rowsOf(db, other.token)).toEqual(untouched);
});

/** A deleted site with an invitation that was open, as a request that was on its way may have left it. */
async function deleted() {
  const site = await server.site();
  const { client, token, userId } = site;
  const guest = await server.person();
  const invite = async (email: string) =>
    codeOf((await client.addMember({ token, body: { email, role: 'owner' } })).invitation_url);
  const [own, fresh] = [await invite(guest.email), await invite(`${randomUUID()}@example.com`)];
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  const { name } = await client.getEnvironment({ token });
  await client.deleteEnvironment({ token, name, unanswered: true });
  const { db, sites } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  await db('members').insert({ environment_id: id, user_id: userId, role: 'owner', added_at: new Date() });
  return { client, token, id, name, guest, codes: { own, fresh }, sites, db };
}

test('no page is scanned for a deleted site', async () => {
  const { token, name, client } = await archived();
  const scan = () => server.visitor.startCookieScan({ body: { url: 'https://shop.example.com/', token } });
  expect((await scan()).status).toBe('queued');
  await client.deleteEnvironment({ token, name, unanswered: true });
  expect((await refusal(scan())).status).toBe(404);
});

test('nobody is admitted to a deleted site, not even by a membership that was made meanwhile', async () => {
  const { client, token, name } = await deleted();
  const calls = [
    client.getEnvironment({ token }),
    client.updateEnvironment({ token, body: { status: 'active' } }),
    client.deleteEnvironment({ token, name, unanswered: true }),
    client.listConsents({ token }),
  ];
  for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(404);
  expect((await client.listEnvironments({})).items).toEqual([]);
});

test('the invitations of a deleted site open nothing', async () => {
  const { guest, codes, db, id } = await deleted();
  expect(await db('site_invitations').where({ environment_id: id })).toHaveLength(2);
  const calls = [
    guest.client.joinEnvironment({ body: { code: codes.own } }),
    server.visitor.acceptInvitation({ body: { code: codes.fresh, password: PASSWORD } }),
    server.visitor.lookAtInvitation({ body: { code: codes.fresh } }),
  ];
  for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(404);
  expect(await db('members').where({ environment_id: id, user_id: guest.userId })).toEqual([]);
});

test('a deleted site is closed to visitors whatever its status says', async () => {
  const { token, db, sites } = await deleted();
  await db('environments').where({ token }).update({ status: 'active' });
  sites.forget(token);
  expect((await refusal(decide(token))).status).toBe(403);
  expect((await fetch(`${server.url}/api/bundles/${token}.js`)).status).toBe(403);
});

test('a change that waits while the site is deleted is refused', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const deleting = await db.transaction();
  await deleting('environments')
    .where({ token })
    .update({ deleted_at: new Date(), archived_at: new Date(), status: 'paused' });
  const waits = (count: number) =>
    until(`${count} wait for the row`, async () => (await waitingForLocks(server.databaseUrl)) === count);
  const change = refusal(client.updateEnvironment({ token, body: { status: 'active' } }));
  await waits(1);
  const deletion = refusal(client.deleteEnvironment({ token, name: 'Example shop' }));
  await waits(2);
  await deleting.commit();
  expect([(await change).status, (await deletion).status]).toEqual([404, 404]);
  expect((await db('environments').where({ token }).first('status')).status).toBe('paused');
});

test('a site that cannot be erased keeps no other from being erased, and is tried again', async () => {
  const [stuck, other] = [await deleted(), await deleted()];
  const { db, log } = server.service.context;
  const later = new Date(Date.now() + 3_600_000);
  const mend = await addTrigger(server.databaseUrl, {
    ...{ name: 'refuse', table: 'environments', event: 'BEFORE DELETE' },
    ...{ condition: `OLD.id = '${stuck.id}'`, body: "RAISE 'not this one';" },
  });
  const told = jest.spyOn(log, 'error').mockImplementation(() => undefined);
  await eraseDeletedSites(db, log, later);
  expect(told.mock.calls).toEqual([
    [expect.objectContaining({ environment_id: stuck.id }), expect.any(String)],
  ]);
  told.mockRestore();
  expect(await db('environments').whereIn('id', [stuck.id, other.id]).pluck('id')).toEqual([stuck.id]);
  await mend();
  await eraseDeletedSites(db, log, later);
  expect(await db('environments').where({ id: stuck.id })).toEqual([]);
});

test('a site with much to erase lets the others have their turns', async () => {
  const [first, second] = [await archived(), await archived()];
  const { db, log } = server.service.context;
  const idOf = async (token: string): Promise<string> =>
    (await db('environments').where({ token }).first('id')).id;
  const [large, small] = [await idOf(first.token), await idOf(second.token)];
  await db.raw(
    `INSERT INTO session_choices (environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at)
     SELECT environment_id, gen_random_uuid(), consent_id, decision, categories, policy_version, recorded_at, expires_at
     FROM session_choices, generate_series(1, 11000) WHERE environment_id = ? LIMIT 11000`,
    [large],
  );
  for (const { client, token, name } of [first, second])
    await client.deleteEnvironment({ token, name, unanswered: true });
  const erased: unknown[] = [];
  const told = jest.spyOn(log, 'info').mockImplementation((fields: unknown) => {
    erased.push((fields as { environment_id?: string }).environment_id);
  });
  await eraseDeletedSites(db, log, new Date(Date.now() + 3_600_000));
  told.mockRestore();
  expect(erased.filter((id) => id === large || id === small)).toEqual([small, large]);
});

test('the job erases in portions, and stops when it is asked to', async () => {
  const { client, token, name } = await archived();
  const { db, log } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  await db.raw(
    `INSERT INTO session_choices (environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at)
     SELECT environment_id, gen_random_uuid(), consent_id, decision, categories, policy_version, recorded_at, expires_at
     FROM session_choices, generate_series(1, 6000) WHERE environment_id = ? LIMIT 6000`,
    [id],
  );
  await client.deleteEnvironment({ token, name, unanswered: true });
  const later = new Date(Date.now() + 3_600_000);
  await eraseDeletedSites(db, log, later, AbortSignal.abort());
  expect(await db('environments').where({ id })).toHaveLength(1);
  const deleted: string[] = [];
  const note = ({ sql }: { sql: string }) => {
    if (/^delete from "session_choices"/i.test(sql)) deleted.push(sql);
  };
  db.on('query', note);
  await eraseDeletedSites(db, log, later);
  db.off('query', note);
  expect(deleted).toHaveLength(2);
  expect(await db('environments').where({ id })).toEqual([]);
});
