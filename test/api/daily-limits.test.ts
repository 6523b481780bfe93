import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { PROGRAM } from '../helpers/banner/program';
import { refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer({ program: PROGRAM });
const raw = (sql: string, bindings: (string | number)[]) => server.service.context.db.raw(sql, bindings);

/** A site that has so many more settings versions, or bundles, from so many hours ago. */
async function siteWith(table: 'settings_versions' | 'bundles', hours: number, more = 199) {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const columns =
    table === 'bundles'
      ? `environment_id, 'older' || lpad(n::text, 19, '0'), script, integrity, bytes, gzip_bytes, config, texts, vendors, warnings,
         program_digest, settings_version, vendor_list_version, t, created_by, t`
      : 'environment_id, 1 + n, settings, t, created_by';
  await raw(
    `INSERT INTO ${table} SELECT ${columns} FROM ${table}, generate_series(1, ?) n,
       (SELECT now() - interval '1 hour' * ? AS t) AS at WHERE environment_id = ?`,
    [more, hours, id],
  );
  if (table === 'settings_versions')
    await raw('UPDATE environments SET settings_version = ? WHERE id = ?', [more + 1, id]);
  const change = (policy_version: string) =>
    client.updateEnvironment({ token, body: { settings: { policy_version } } });
  return { ...site, id, change };
}

const most = (text: RegExp) => ({
  status: 429,
  code: 'rate_limited',
  message: expect.stringMatching(text),
});

test('the settings of a site change 200 times in 24 hours, and no more', async () => {
  const { client, token, change } = await siteWith('settings_versions', 2);
  const error = await refusal(change('2'));
  expect(error).toMatchObject(
    most(/at most 200 times in 24 hours; .* in one request: try again in \d+ s\.$/),
  );
  // The oldest of the 200 is the one that was made with the site, just now.
  expect(error.retryAfter).toBeGreaterThan(23 * 3600);
  expect((await client.getEnvironment({ token })).settings_version).toBe(200);
  // What makes no version is not bounded.
  await change('1');
  await client.updateEnvironment({ token, body: { name: 'Another name' } });
});

test('what was changed more than 24 hours ago does not count', async () => {
  const { id, change } = await siteWith('settings_versions', 25);
  await raw(
    "UPDATE settings_versions SET created_at = now() - interval '25 hours' WHERE environment_id = ? AND version = 1",
    [id],
  );
  expect((await change('2')).settings_version).toBe(201);
});

test('a site gets 200 new bundles in 24 hours, and no more; one that there is may be published again', async () => {
  const { client, token, change } = await siteWith('bundles', 2);
  await client.generateBundle({ token });
  await change('2');
  const error = await refusal(client.generateBundle({ token }));
  expect(error).toMatchObject(most(/at most 200 new bundles in 24 hours: try again in \d+ s\.$/));
  expect(error.retryAfter).toBeGreaterThan(21 * 3600);
  expect((await client.listBundles({ token })).items[0]?.version).toBe(1);
});

test('bundles of the day before do not count', async () => {
  const { client, token, change } = await siteWith('bundles', 25);
  await change('2');
  expect((await client.generateBundle({ token })).version).toBe(2);
});

test('the vendors of a site are replaced 200 times in 24 hours, and no more', async () => {
  const { client, token } = await server.site();
  const lists = { leg_int_purposes: [], urls: [], cookies: [] };
  const vendor = { id: 1, name: 'Counter', purposes: [8], categories: ['analytics'], ...lists };
  const replace = () => client.replaceVendors({ token, body: { vendors: [vendor] } });
  await replace();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await raw(
    `INSERT INTO vendor_lists SELECT environment_id, 1 + n, vendors, now() - interval '2 hours', created_by
     FROM vendor_lists, generate_series(1, 199) n WHERE environment_id = ?`,
    [id],
  );
  const error = await refusal(replace());
  expect(error).toMatchObject(most(/at most 200 times in 24 hours: try again in \d+ s\.$/));
  await raw("UPDATE vendor_lists SET created_at = now() - interval '25 hours' WHERE environment_id = ?", [
    id,
  ]);
  expect((await replace()).vendor_list_version).toBe(201);
});

const title = { title: 'A lost laptop', aware_at: '2026-11-20T09:00:00.000Z' };
const letter = {
  ...{ request_type: 'access' as const, channel: 'letter' as const },
  ...{ received_on: '2026-11-20', contact: 'a letter' },
};
const COLUMNS = {
  breaches: `environment_id, gen_random_uuid(), title, nature, description, severity, aware_at, notify_by, data_categories,
    subject_categories, consequences, measures, status, t, history`,
  dsar_requests: `environment_id, gen_random_uuid(), request_type, email, email_key, language, status, t, due_at, history, channel`,
};

/** So many more records of a site like the one that it has, from so many hours ago. */
const copy = (table: keyof typeof COLUMNS, id: string, hours: number, more = 999) =>
  raw(
    `INSERT INTO ${table} (${COLUMNS[table].replace('gen_random_uuid()', table === 'breaches' ? 'breach_id' : 'request_id').replace(' t,', ' created_at,')})
     SELECT ${COLUMNS[table]} FROM ${table}, generate_series(1, ?), (SELECT now() - interval '1 hour' * ? AS t) AS at
     WHERE environment_id = ?`,
    [more, hours, id],
  );

test.each([2, 25])('a site records 1000 breaches in 24 hours, and no more (%i hours ago)', async (hours) => {
  const { client, token } = await server.site();
  const record = () => client.createBreach({ token, body: title });
  await record();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await copy('breaches', id, hours);
  if (hours > 24) expect((await record()).status).toBe('created');
  else expect(await refusal(record())).toMatchObject(most(/at most 1000 breaches in 24 hours/));
});

test('members record 1000 requests in 24 hours; those of visitors do not count, nor are they refused', async () => {
  const { client, token } = await server.site();
  const online = () =>
    server.visitor.submitDsar({ token, body: { request_type: 'access', email: 'visitor@example.com' } });
  const record = () => client.recordDsar({ token, body: letter });
  await online();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await copy('dsar_requests', id, 2);
  await record();
  await raw("UPDATE dsar_requests SET channel = 'letter' WHERE environment_id = ?", [id]);
  expect(await refusal(record())).toMatchObject(most(/at most 1000 requests in 24 hours/));
  await online();
});

test.each([
  [2, 429],
  [25, 201],
])(
  'members record 20000 form consents in 24 hours, and visitors more (%i hours ago)',
  async (hours, status) => {
    const { client, token } = await server.site();
    const form = {
      ...{ form_id: 'newsletter', form_url: 'https://shop.example.com/' },
      ...{
        subject: { external_id: 'somebody' },
        statements: [{ key: 'news', text: 'News', accepted: true }],
      },
    };
    const visitor = { address: '203.0.113.9' };
    const record = () => client.recordFormConsentForVisitor({ token, body: { ...form, visitor } });
    await record();
    const { id } = await server.service.context.db('environments').where({ token }).first('id');
    const columns = 'form_id, form_url, external_id, statements, double_opt_in, language, ip_masked';
    const more = (count: number, byOwner: boolean) =>
      raw(
        `INSERT INTO form_consents (environment_id, recorded_at, form_consent_id, by_owner, ${columns})
       SELECT environment_id, now() - interval '1 hour' * ?, gen_random_uuid(), ${byOwner}, ${columns}
       FROM (SELECT * FROM form_consents WHERE environment_id = ? LIMIT 1) AS one, generate_series(1, ?)`,
        [hours, id, count],
      );
    // What visitors sent does not count.
    await more(2, false);
    await more(19_998, true);
    await record();
    const answered = record().then(
      () => ({ status: 201 }),
      (error) => error,
    );
    const answer = await answered;
    expect(answer.status).toBe(status);
    if (status === 429) {
      expect(answer).toMatchObject(most(/at most 20000 form consents in 24 hours: try again in \d+ s\.$/));
      expect(answer.retryAfter).toBeGreaterThan(21 * 3600);
    }
    await server.visitor.recordFormConsent({ token, body: form });
  },
);

test.each([
  [2, 429],
  [25, 201],
])('a site makes 200 invitations in 24 hours that stay open (%i hours ago)', async (hours, status) => {
  const { client, token } = await server.site();
  const invite = () =>
    client.addMember({ token, body: { email: `${randomUUID()}@example.com`, role: 'viewer' } });
  const first = await invite();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await raw(
    `INSERT INTO site_invitations (environment_id, user_id, email, email_key, name, role, expires_at, added_at)
     SELECT environment_id, user_id - n, n || email, n || email_key, name, role, expires_at,
       added_at - interval '1 hour' * ?
     FROM site_invitations, generate_series(1, 198) n WHERE environment_id = ?`,
    [hours, id],
  );
  await invite();
  const answer = await invite().then(
    () => ({ status: 201 }),
    (error) => error,
  );
  expect(answer.status).toBe(status);
  if (status === 201) return;
  expect(answer).toMatchObject(
    most(/at most 200 invitations in 24 hours that nobody has accepted: try again/),
  );
  // Whoever is invited already gets a new link, and one that is withdrawn makes room.
  await client.renewInvitation({ token, user_id: first.user_id });
  await client.removeMember({ token, user_id: first.user_id });
  await invite();
});

test('a breach changes 200 times in 24 hours, since each change is kept', async () => {
  const { client, token } = await server.site();
  const { breach_id } = await client.createBreach({ token, body: title });
  const update = () => client.updateBreach({ token, breach_id, body: { affected_subjects: 7 } });
  const history = (interval: string) =>
    raw(
      `UPDATE breaches SET history = (SELECT jsonb_agg(e) FROM (
         SELECT history->0 || jsonb_build_object('at', now() - interval '${interval}') AS e
         FROM generate_series(1, 200)) AS entries) WHERE breach_id = ?`,
      [breach_id],
    );
  await history('25 hours');
  await update();
  await history('2 hours');
  expect(await refusal(update())).toMatchObject(most(/changes at most 200 times in 24 hours/));
});

test('a day with far more decisions than usual is told to the owner, and no visitor is refused', async () => {
  const { client, token } = await server.site();
  const decide = () =>
    server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  await decide();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).toEqual([]);
  await raw("UPDATE daily_counts SET n = 60000 WHERE environment_id = ? AND metric = 'decision'", [id]);
  expect(await codes()).toEqual(['unusual_volume']);
  await decide();
  // The day before was as busy.
  await raw(
    `INSERT INTO daily_counts SELECT environment_id, day - 1, metric, key, language, banner_version, device, slot, 14 * n
     FROM daily_counts WHERE environment_id = ? AND metric = 'decision'`,
    [id],
  );
  expect(await codes()).toEqual([]);
});

describe('the last quarter of a limit is for owners who are logged in', () => {
  const spared = most(/, the last quarter of them by owners who are logged in/);

  /** A program of an owner's. */
  async function programOf(client: Client, token: string) {
    const scopes = ['environments:write' as const, 'banner:write' as const, 'breaches:write' as const];
    const { key } = await client.createKey({ body: { name: 'program', site: token, scopes } });
    return createAvow({ baseUrl: server.url, apiKey: key, retries: 0 });
  }

  test('they take back the settings that a program has left, and publish them', async () => {
    const { client, token, change } = await siteWith('settings_versions', 2, 148);
    const program = await programOf(client, token);
    const { id } = await server.service.context.db('environments').where({ token }).first('id');
    const evil = (path: string) => {
      const settings = { privacy_policy_url: `https://evil.example/${path}` };
      return program.updateEnvironment({ token, body: { settings } });
    };
    await evil('first');
    expect(await refusal(evil('second'))).toMatchObject(spared);
    await change('2');
    await raw(
      `INSERT INTO bundles SELECT environment_id, 'older' || lpad(n::text, 19, '0'), script, integrity, bytes, gzip_bytes, config, texts,
         vendors, warnings, program_digest, settings_version, vendor_list_version, created_at, created_by, published_at
       FROM bundles, generate_series(1, 149) n WHERE environment_id = ?`,
      [id],
    );
    expect(await refusal(program.generateBundle({ token }))).toMatchObject(spared);
    await client.generateBundle({ token });
  });

  test('and replace the vendors', async () => {
    const { client, token } = await server.site();
    const program = await programOf(client, token);
    const replace = (one: Client) => one.replaceVendors({ token, body: { vendors: [] } });
    await replace(client);
    await raw(
      `INSERT INTO vendor_lists SELECT l.environment_id, 1 + n, vendors, l.created_at, created_by
       FROM vendor_lists l JOIN environments e ON e.id = l.environment_id, generate_series(1, 149) n WHERE e.token = ?`,
      [token],
    );
    expect(await refusal(replace(program))).toMatchObject(spared);
    await replace(client);
  });

  test('and record breaches and requests, and change them, when operators and programs no longer can', async () => {
    const owned = await server.site();
    const { client, token } = owned;
    const program = await programOf(client, token);
    const operator = (await member(server, owned, 'operator')).client;
    const breach = (one: Client) => one.createBreach({ token, body: title });
    const request = (one: Client) => one.recordDsar({ token, body: letter });
    const { breach_id } = await breach(operator);
    await request(operator);
    const { id } = await server.service.context.db('environments').where({ token }).first('id');
    await copy('breaches', id, 2, 749);
    await copy('dsar_requests', id, 2, 749);
    for (const refused of [breach(program), breach(operator), request(operator)])
      expect(await refusal(refused)).toMatchObject(spared);
    await breach(client);
    await request(client);
    const change = (one: Client) => one.updateBreach({ token, breach_id, body: { measures: 'None.' } });
    const entry = { at: new Date().toISOString(), actor: 'x', action: 'updated', note: null };
    await raw('UPDATE breaches SET history = ?::jsonb WHERE environment_id = ? AND breach_id = ?', [
      JSON.stringify(Array.from({ length: 150 }, () => entry)),
      id,
      breach_id,
    ]);
    for (const refused of [change(program), change(operator)])
      expect(await refusal(refused)).toMatchObject(spared);
    await change(client);
  });
});
