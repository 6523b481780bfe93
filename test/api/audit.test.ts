import { createAvow, type Item } from '@avow/sdk';
import type { Scope } from '../../server/src/domain/types';
import { resetCode } from '../helpers/audit/prepared';
import { raw } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { codeOf, join, member } from '../helpers/site/people';
import { until } from '../helpers/until';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
type Event = Item<'listAuditEvents'>;
type Site = Awaited<ReturnType<typeof server.site>>;

const eventsOf = async ({ client, token }: Site, filter = {}): Promise<Event[]> =>
  (await client.listAuditEvents({ token, limit: 200, ...filter })).items;
/** The changes of the newest event, as `field: before → after`. */
const changed = async (site: Site): Promise<string[]> =>
  ((await eventsOf(site))[0]?.changes ?? []).map(
    ({ field, before, after }) => `${field}: ${before} → ${after}`,
  );
const named = (events: Event[]): string[] => events.map(({ operation }) => operation);

/** A key of somebody's for programs, and a client that uses it. */
async function keyOf(site: Site, scopes: Scope[]) {
  const { key, key_id } = await site.client.createKey({
    body: { name: 'program', scopes, site: site.token },
  });
  return { key_id, key, client: createAvow({ baseUrl: server.url, token: key, retries: 0 }) };
}

describe('what an event tells', () => {
  test('how whoever acted had logged in', async () => {
    const site = await server.site();
    const login = await server.visitor.login({ body: { email: site.email, password: PASSWORD } });
    const later = createAvow({ baseUrl: server.url, token: login.token, retries: 0 });
    await later.updateEnvironment({ token: site.token, body: { name: 'Shop' } });
    const [event] = await eventsOf(site);
    expect(event).toMatchObject({ operation: 'updateEnvironment', via: 'login', begun_by: 'password' });
    // The session that takes its place was begun no better.
    const { token } = await later.reauthenticate({ body: { password: PASSWORD } });
    const renewed = createAvow({ baseUrl: server.url, token, retries: 0 });
    await renewed.updateEnvironment({ token: site.token, body: { name: 'Another shop' } });
    expect((await eventsOf(site))[0]).toMatchObject({ begun_by: 'password' });
  });

  test('who, with what, from where, when, on what, and of which request', async () => {
    const site = await server.site();
    const { key_id, client } = await keyOf(site, ['breaches:write']);
    const { breach_id } = await client.createBreach({
      token: site.token,
      body: { title: 'Lost laptop', aware_at: '2026-11-20T09:00:00.000Z' },
    });
    const [event] = await eventsOf(site);
    expect(event).toEqual({
      ...{ audit_id: expect.any(String), occurred_at: expect.any(String) },
      ...{ operation: 'createBreach', kind: 'change', via: 'key', begun_by: null, key_id, os_user: null },
      actor: { user_id: site.userId, name: 'Ada Owner', email: site.email },
      ...{ ip_masked: '127.0.***.***', request_id: expect.any(String) },
      ...{ resource: 'breach', resource_id: breach_id },
      ...{ changes: [], changes_left_out: 0 },
    });
  });

  test('settings: the changed fields alone, before and after', async () => {
    const site = await server.site();
    const { settings } = await site.client.getEnvironment({ token: site.token });
    const banner = { ...settings.banner, layout: 'bar' as const };
    const categories = settings.categories.map((one) =>
      one.key === 'analytics' ? { ...one, name: 'Statistics' } : one,
    );
    await site.client.updateEnvironment({
      token: site.token,
      body: { name: 'New name', settings: { banner, categories, consent_lifetime_days: 90 } },
    });
    expect((await changed(site)).sort()).toEqual([
      'name: Example shop → New name',
      'settings.banner.layout: box → bar',
      'settings.categories[analytics].name: Analytics → Statistics',
      'settings.consent_lifetime_days: 180 → 90',
    ]);
  });

  test('vendors, by their names', async () => {
    const site = await server.site();
    const vendor = {
      ...{ id: 52, name: 'Example Ads', purposes: [1], leg_int_purposes: [], categories: ['marketing'] },
      ...{ urls: [{ lang_id: 'en', privacy: 'https://ads.example.com/privacy' }], cookies: [] },
    };
    await site.client.replaceVendors({ token: site.token, body: { vendors: [vendor] } });
    await site.client.replaceVendors({
      token: site.token,
      body: { vendors: [{ ...vendor, purposes: [1, 2] }] },
    });
    expect(await changed(site)).toEqual(['vendors[52].purposes: [1] → [1,2]']);
  });

  test('members: the roles', async () => {
    const site = await server.site();
    const person = await member(server, site, 'viewer');
    const at = { token: site.token, user_id: person.userId };
    await site.client.updateMember({ ...at, body: { role: 'operator' } });
    expect(await changed(site)).toEqual(['role: viewer → operator']);
    await site.client.removeMember(at);
    const [event, , joined, added] = await eventsOf(site);
    expect(event?.changes).toEqual([{ field: 'role', before: 'operator', after: null, truncated: false }]);
    expect(event).toMatchObject({ resource: 'member', resource_id: String(person.userId) });
    expect([joined?.operation, joined?.actor?.user_id]).toEqual(['joinEnvironment', person.userId]);
    expect(added).toMatchObject({ operation: 'addMember', actor: { user_id: site.userId } });
  });

  test('webhooks: never the address behind the host, nor the value of a header', async () => {
    const site = await server.site();
    const { webhook_id } = await site.client.createWebhook({
      token: site.token,
      body: { url: 'http://127.0.0.1:9/hook/s3cret-one', events: '*', headers: { 'X-Key': 's3cret-two' } },
    });
    expect(await changed(site)).toEqual([
      'url: null → http://127.0.0.1:9/***',
      'events: null → ["*"]',
      'method: null → POST',
      'header_names: null → ["x-key"]',
    ]);
    await site.client.updateWebhook({
      ...{ token: site.token, webhook_id },
      body: { url: 'http://127.0.0.1:9/hook/s3cret-three', headers: { 'X-Key': 's3cret-four' } },
    });
    expect(await changed(site)).toEqual([
      'url: http://127.0.0.1:9/*** → http://127.0.0.1:9/***',
      'headers_set: null → ["X-Key"]',
    ]);
  });

  test('long values are cut, and many are left out, and both are said', async () => {
    const site = await server.site();
    const measures = Array.from({ length: 100 }, (_, n) => `${n} ${'ä'.repeat(200)}`);
    const activity = { lawful_basis: 'consent' as const, purposes: [], subject_categories: [] };
    await site.client.updateEnvironment({
      token: site.token,
      body: {
        settings: {
          security_measures: measures,
          processing_activities: Array.from({ length: 90 }, (_, n) => ({
            ...{ ...activity, name: `Activity ${n}`, data_categories: [], recipients: [] },
          })),
        },
      },
    });
    const [event] = await eventsOf(site);
    const long = event?.changes.find(({ truncated }) => truncated);
    expect(long?.after).toMatch(/^.{299}…$/u);
    expect(event?.changes.length).toBeLessThanOrEqual(50);
    expect((event?.changes.length ?? 0) + (event?.changes_left_out ?? 0)).toBe(91);
    expect(Buffer.byteLength(JSON.stringify(event?.changes))).toBeLessThan(13 * 1024);
  });

  test('a key that is revoked once more leaves nothing, and one for all sites is in the trail of the account', async () => {
    const site = await server.site();
    const bound = await keyOf(site, ['reports:read']);
    for (let times = 0; times < 3; times += 1) await site.client.revokeKey({ key_id: bound.key_id });
    expect(named(await eventsOf(site)).filter((one) => one === 'revokeKey')).toHaveLength(1);
    const { token, client } = site;
    const free = await client.createKey({ body: { name: 'free', set: 'export' } });
    for (let times = 0; times < 3; times += 1) await client.revokeSiteKey({ token, key_id: free.key_id });
    expect(named(await eventsOf(site))).not.toContain('revokeSiteKey');
    const own = named((await client.listAccountEvents()).items);
    expect(own.filter((one) => one === 'revokeSiteKey')).toHaveLength(1);
  });

  test('keys of a site that is deleted end with it', async () => {
    const site = await server.site();
    const { token, client } = site;
    const { key_id } = await keyOf(site, ['reports:read']);
    await client.updateEnvironment({ token, body: { status: 'archived' } });
    await client.deleteEnvironment({ token, name: 'Example shop' });
    const [row] = await server.service.context.db('api_keys').where({ key_id });
    expect(row.revoked_at).toEqual(expect.any(Date));
    expect((await refusal(client.rotateKey({ key_id, body: {} }))).status).toBe(409);
  });

  test('an export, and what it was limited to, but not to whom', async () => {
    const site = await server.site();
    await site.client.exportFormConsents({
      ...{ token: site.token, format: 'csv', from: '2026-11-01', email: 'visitor@example.com' },
    });
    const [event] = await eventsOf(site);
    expect(event).toMatchObject({ operation: 'exportFormConsents', kind: 'export', resource: 'site' });
    expect((await changed(site)).sort()).toEqual([
      'query.email: null → ***',
      'query.format: null → csv',
      'query.from: null → 2026-11-01T00:00:00.000Z',
    ]);
  });
});

test('a request that is repeated under its idempotency key has one event', async () => {
  const site = await server.site();
  const breach = { title: 'Lost laptop', aware_at: '2026-11-20T09:00:00.000Z' };
  const visitor = { address: '203.0.113.7' };
  const consent = { session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'accept_all' as const };
  const again = { idempotencyKey: 'the-same-key-again' };
  for (let i = 0; i < 3; i += 1) {
    await site.client.createBreach({ token: site.token, body: breach }, again);
    await site.client.logConsentForVisitor({ token: site.token, body: { ...consent, visitor } }, again);
  }
  expect(named(await eventsOf(site))).toEqual(['logConsentForVisitor', 'createBreach', 'createEnvironment']);
});

test('nothing of a data subject, and no secret, is in any trail', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { key } = await keyOf(site, ['dsar:write']);
  const { secret } = await client.createWebhook({
    token,
    body: { url: 'http://127.0.0.1:9/s3cret', events: '*' },
  });
  const { request_id } = await submit(server, token, { email: 'subject@example.com', message: 'My words' });
  await client.startDsar({ token, request_id });
  await client.extendDsar({ token, request_id, body: { reason: 'Their words' } });
  await client.resolveDsar({
    token,
    request_id,
    body: { resolution: 'fulfilled', note: 'Our words' },
  });
  await client.recordDsar({
    token,
    body: {
      request_type: 'access',
      email: 'caller@example.com',
      channel: 'telephone',
      received_on: '2026-11-20',
      message: 'Spoken words',
    },
  });
  const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e99';
  await client.eraseSession({ token, session_id });
  const subject = { email: 'subject@example.com' };
  await client.eraseSubject({ token, body: { subject, preview: true } });
  await client.eraseSubject({ token, body: { subject } });
  const person = await server.person('Dana Officer');
  const { invitation_url } = await client.addMember({ token, body: { email: person.email, role: 'viewer' } });
  await server.visitor.login({ body: { email: site.email, password: PASSWORD } });
  const rows: object[] = await server.service.context.db('audit_events');
  const dump = JSON.stringify(rows);
  const never = ['subject@', 'caller@', 'words', 's3cret', session_id, PASSWORD, key, secret, site.email];
  for (const text of [...never, person.email, codeOf(invitation_url), '127.0.0.1"'])
    expect([text, dump.includes(text)]).toEqual([text, false]);
  expect(named(await eventsOf(site)).slice(0, 4)).toEqual([
    ...['addMember', 'eraseSubject', 'eraseSession', 'recordDsar'],
  ]);
});

describe('the list', () => {
  let site: Site;
  let colleague: Awaited<ReturnType<typeof server.person>>;
  let key_id: string;
  beforeAll(async () => {
    site = await server.site();
    colleague = await server.person('Dana Officer');
    await join(site, colleague, 'owner');
    const program = await keyOf(site, ['breaches:write', 'audit:read', 'reports:read']);
    key_id = program.key_id;
    const { token } = site;
    const { breach_id } = await program.client.createBreach({
      token,
      body: { title: 'Lost laptop', aware_at: '2026-11-20T09:00:00.000Z' },
    });
    await colleague.client.updateBreach({ token, breach_id, body: { title: 'Stolen laptop' } });
    await colleague.client.exportRopa({ token });
  });

  test('newest first, of this site alone', async () => {
    expect(named(await eventsOf(site))).toEqual([
      ...['exportRopa', 'updateBreach', 'createBreach', 'createKey', 'joinEnvironment', 'addMember'],
      'createEnvironment',
    ]);
    const other = await server.site();
    expect(named(await eventsOf(other))).toEqual(['createEnvironment']);
  });

  test('can be filtered', async () => {
    const all = await eventsOf(site);
    const [exported, updated, created] = all as [Event, Event, Event];
    const of = async (filter: object) => named(await eventsOf(site, filter));
    expect(await of({ user_id: colleague.userId })).toEqual([
      'exportRopa',
      'updateBreach',
      'joinEnvironment',
    ]);
    expect(await of({ key_id })).toEqual(['createBreach']);
    expect(await of({ operation: 'addMember' })).toEqual(['addMember']);
    expect(await of({ kind: 'export' })).toEqual(['exportRopa']);
    expect(await of({ resource: 'breach' })).toEqual(['updateBreach', 'createBreach']);
    const id = (created.resource_id as string).toUpperCase();
    expect(await of({ resource_id: id })).toEqual(['updateBreach', 'createBreach']);
    expect(await of({ from: updated.occurred_at, to: exported.occurred_at })).toEqual(['updateBreach']);
  });

  test('is paged', async () => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length < 9; ) {
      const page = await site.client.listAuditEvents({
        token: site.token,
        limit: 3,
        ...(cursor && { cursor }),
      });
      pages.push(named(page.items));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(named(await eventsOf(site)));
  });

  test('is for owners, and for keys with the scope', async () => {
    const { token } = site;
    for (const role of ['viewer', 'operator'] as const) {
      const { client } = await member(server, site, role);
      expect(await refusal(client.listAuditEvents({ token }))).toMatchObject({ status: 403 });
      expect(await refusal(client.exportAuditEvents({ token }))).toMatchObject({ status: 403 });
    }
    const without = await keyOf(site, ['events:read']);
    expect(await refusal(without.client.listAuditEvents({ token }))).toMatchObject({ status: 403 });
    const reader = await keyOf(site, ['audit:read']);
    expect((await reader.client.listAuditEvents({ token })).items.length).toBeGreaterThan(6);
    const stranger = await server.person();
    expect(await refusal(stranger.client.listAuditEvents({ token }))).toMatchObject({ status: 404 });
  });
});

test('the export has every event once, and is in the trail itself', async () => {
  const site = await server.site({ time_zone: 'UTC' });
  const { client, token } = site;
  // A name that a spreadsheet would run.
  await client.updateEnvironment({ token, body: { name: '=HYPERLINK("http://x")' } });
  const before = await eventsOf(site);
  const lines = (await (await client.exportAuditEvents({ token })).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(before.reverse());
  const csv = await (await client.exportAuditEvents({ token, format: 'csv' })).text();
  expect(csv.split('\n')[0]).toMatch(/^audit_id,occurred_at,operation,kind,via,actor,/);
  expect(csv).toContain('updateEnvironment');
  for (const cell of csv.split(/[,\n]/)) expect(cell).not.toMatch(/^"?[=+@]/);
  expect(named(await eventsOf(site)).slice(0, 2)).toEqual(['exportAuditEvents', 'exportAuditEvents']);
});

describe('the trail of an account', () => {
  const own = async ({ client }: Pick<Site, 'client'>) =>
    (await client.listAccountEvents({ limit: 200 })).items;

  test('log-ins, refused ones, a new password and a log-out, of this account alone', async () => {
    const { email, userId } = await server.person();
    const logIn = (password: string) => server.visitor.login({ body: { email, password } });
    await expect(logIn('wrong horse battery')).rejects.toMatchObject({ status: 401 });
    const { token } = await logIn(PASSWORD);
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    await client.changePassword({
      body: { current_password: PASSWORD, new_password: 'another correct horse' },
    });
    const again = createAvow({ baseUrl: server.url, token: (await logIn('another correct horse')).token });
    // Nobody waits for the refused one.
    await until('it is noted', async () => (await own({ client: again })).length === 4);
    const events = await own({ client: again });
    expect(events.map(({ operation, kind }) => [operation, kind])).toEqual([
      ...[
        ['login', 'change'],
        ['changePassword', 'change'],
        ['login', 'change'],
        ['login', 'refused'],
      ],
    ]);
    expect(events[3]).toMatchObject({ actor: null, resource: 'account', resource_id: String(userId) });
    expect(events[2]?.actor?.user_id).toBe(userId);
  });

  test('no text of a stranger is in it: a refused log-in has an id of its own', async () => {
    const { email } = await server.person();
    const headers = { 'X-Request-Id': 'call-us-0900-1234567', 'Content-Type': 'application/json' };
    const logIn = (password: string) =>
      raw(server.url, {
        ...{ method: 'POST', path: '/api/auth/console', headers },
        body: JSON.stringify({ email, password }),
      });
    const refused = await logIn('wrong horse battery');
    expect([refused.status, refused.headers['x-request-id']]).toEqual([401, 'call-us-0900-1234567']);
    const { token } = (await logIn(PASSWORD)).json.data;
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    await until('it is noted', async () => (await own({ client })).length === 2);
    const ids = (await own({ client })).map(({ kind, request_id }) => [kind, request_id]);
    expect(ids).toEqual([
      ['change', 'call-us-0900-1234567'],
      ['refused', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ]);
  });

  test('an unknown address leaves nothing', async () => {
    const { db } = server.service.context;
    const count = async () => Number((await db('audit_events').count({ n: '*' }).first())?.n);
    const before = await count();
    const body = { email: 'nobody@example.com', password: 'wrong horse battery' };
    await expect(server.visitor.login({ body })).rejects.toMatchObject({ status: 401 });
    // A refused one of somebody else would have come by the time that a later one is there.
    const person = await server.person();
    await server.visitor.login({ body: { email: person.email, password: PASSWORD } });
    expect(await count()).toBe(before + 1);
  });

  test('a password by a link, keys for all sites, and deleted sites; keys for one site are in its trail', async () => {
    const site = await server.site();
    const { client, token, userId } = site;
    const { key_id } = await client.createKey({ body: { name: 'all', set: 'export' } });
    await client.rotateKey({ key_id, body: {} });
    await keyOf(site, ['audit:read']);
    expect(named(await eventsOf(site))).toEqual(['createKey', 'createEnvironment']);
    await client.updateEnvironment({ token, body: { status: 'archived' } });
    await client.deleteEnvironment({ token, name: 'Example shop' });
    const code = await resetCode(server, userId);
    const session = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
    const events = await own({ client: createAvow({ baseUrl: server.url, token: session.token }) });
    expect(named(events)).toEqual(['acceptInvitation', 'deleteEnvironment', 'rotateKey', 'createKey']);
    expect(events[1]).toMatchObject({ resource: 'site', resource_id: token });
    expect(events[1]?.changes[0]).toMatchObject({ field: 'name', before: 'Example shop', after: null });
    expect(events[2]).toMatchObject({ resource: 'key', resource_id: key_id });
  });
});
