import { randomUUID } from 'node:crypto';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';
import { rowsOf, tablesOf } from '../helpers/site/rows';

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
  const early = await refusal(client.deleteEnvironment({ token, name }));
  expect([early.status, early.message]).toEqual([409, expect.stringContaining('archive')]);
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  const wrong = await refusal(client.deleteEnvironment({ token, name: `${name}!` }));
  expect([wrong.status, pathsOf(wrong)]).toEqual([400, ['query.name']]);
  const operator = await member(server, site, 'operator');
  expect((await refusal(operator.client.deleteEnvironment({ token, name }))).status).toBe(403);
  expect((await client.getEnvironment({ token })).status).toBe('archived');
});

test('a deleted site is gone for its members at once, its webhooks end, and a job erases every row of it', async () => {
  const { client, token, name } = await archived();
  const other = await server.site();
  await decide(other.token);
  const { db, log } = server.service.context;
  const untouched = await rowsOf(db, other.token);
  const { id } = await db('environments').where({ token }).first('id');
  expect(await client.deleteEnvironment({ token, name })).toEqual({
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
    if (!columns.includes(column)) continue;
    expect([table, await db(table).where(column, id)]).toEqual([table, []]);
  }
  expect(await rowsOf(db, other.token)).toEqual(untouched);
});

test('the job erases in portions, and stops when it is asked to', async () => {
  const { client, token, name } = await archived();
  const { db, log } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  await db.raw(
    `INSERT INTO session_choices
     SELECT environment_id, gen_random_uuid(), consent_id, decision, categories, policy_version, recorded_at, expires_at
     FROM session_choices, generate_series(1, 6000) WHERE environment_id = ? LIMIT 6000`,
    [id],
  );
  await client.deleteEnvironment({ token, name });
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
