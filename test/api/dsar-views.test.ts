import { createAvow, type Input } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { join, member, rowsIn } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });

type Body = Input<'saveOwnDsarViews'>['body'];
type View = Body['views'][number];

const view = (name: string, filters: View['filters'] = { open: true }): View => ({ name, filters });

async function desk() {
  const site = await server.site();
  const { client, token } = site;
  const own = (views: View[], by: Client = client, expected_version?: number) =>
    by.saveOwnDsarViews({
      ...{ token },
      body: { views, ...(expected_version !== undefined && { expected_version }) },
    });
  const shared = (views: View[], by: Client = client) => by.saveSharedDsarViews({ token, body: { views } });
  const read = (by: Client = client) => by.listDsarViews({ token });
  return { ...site, own, shared, read };
}

test('each member has views of their own, and those that an owner shares', async () => {
  const { client, token, own, shared, read } = await desk();
  const viewer = await member(server, { client, token }, 'viewer');
  const nothing = { version: 0, views: [] };
  expect(await read()).toEqual({ own: nothing, shared: nothing });
  const full: View = view('Everything', {
    ...{ status: 'created', request_type: 'access', assignee: 'nobody' },
    ...{
      due_after: '2026-01-01',
      due_before: '2027-01-01T00:00:00.000Z',
      from: '2026-01-01',
      to: '2027-01-01',
    },
  });
  const late = view('Late', { overdue: true });
  const soon = view('Soon, mine', { due_within: 7, assignee: 'me' });
  expect(await own([full, soon])).toEqual({ version: 1, views: [full, soon] });
  expect(await own([soon], viewer.client)).toEqual({ version: 1, views: [soon] });
  expect(await shared([late])).toEqual({ version: 1, views: [late] });
  expect(await read()).toEqual({
    ...{ own: { version: 1, views: [full, soon] }, shared: { version: 1, views: [late] } },
  });
  expect(await read(viewer.client)).toEqual({
    ...{ own: { version: 1, views: [soon] }, shared: { version: 1, views: [late] } },
  });
  // Renamed, moved, and one left out.
  expect(await own([view('Mine', soon.filters)])).toEqual({
    version: 2,
    views: [view('Mine', soon.filters)],
  });
  expect((await refusal(shared([], viewer.client))).status).toBe(403);
  const stranger = await server.person();
  expect((await refusal(read(stranger.client))).status).toBe(404);
  const { items } = await client.listAuditEvents({ token });
  const events = items.filter(({ operation }) => operation.endsWith('DsarViews'));
  expect(events.map(({ operation }) => operation)).toEqual([
    ...['saveOwnDsarViews', 'saveSharedDsarViews', 'saveOwnDsarViews', 'saveOwnDsarViews'],
  ]);
  expect(events[0]?.changes.length).toBeGreaterThan(0);
});

test('of two changes made of one version, the later one is told', async () => {
  const { own } = await desk();
  const outcomes = await Promise.allSettled([own([view('A')], undefined, 0), own([view('B')], undefined, 0)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const error = await refusal(own([view('C')], undefined, 0));
  expect([error.status, error.message]).toEqual([409, expect.stringMatching(/their version is 1 now/)]);
  // What is stored already is no clash, nor a new version.
  expect((await own([view('D')], undefined, 1)).version).toBe(2);
  expect((await own([view('D')], undefined, 1)).version).toBe(2);
});

test('a view has a name of its own and filters that go together; a list has at most 50', async () => {
  const { own } = await desk();
  const refused = async (...views: unknown[]) => pathsOf(await refusal(own(views as View[])));
  expect(await refused(view('Mine'), view(' mine'))).toEqual(['body.views.1.name']);
  expect(await refused(view('\u200b'))).toEqual(['body.views.0.name']);
  expect(await refused(view('x'.repeat(81)))).toEqual(['body.views.0.name']);
  expect(await refused(view('A', { open: true, overdue: true }))).toEqual(['body.views.0.filters']);
  expect(await refused(view('A', { due_after: '2026-02-30' }))).toEqual(['body.views.0.filters.due_after']);
  // It would outlive the person's request.
  expect(await refused({ name: 'A', filters: { email: 'ada@example.com' } })).toEqual([
    'body.views.0.filters.email',
  ]);
  const many = Array.from({ length: 51 }, (_, n) => view(`View ${n}`));
  expect(await refused(...many)).toEqual(['body.views']);
  expect((await own(many.slice(1))).views).toHaveLength(50);
});

test('the views of whoever leaves go, and the shared ones stay', async () => {
  const { client, token, own, shared, read } = await desk();
  const ada = await member(server, { client, token }, 'owner');
  await own([view('Mine')], ada.client);
  await shared([view('Ours')], ada.client);
  await client.removeMember({ token, user_id: ada.userId });
  expect(await rowsIn(server, 'dsar_views', token)).toHaveLength(1);
  await join({ client, token }, ada, 'viewer');
  expect(await read(ada.client)).toMatchObject({ own: { views: [] }, shared: { views: [view('Ours')] } });
});

test('an API key reads views with dsar:read and saves them with dsar:write, as its maker', async () => {
  const { client, token, own, read } = await desk();
  const by = async (scope: 'dsar:read' | 'dsar:write') => {
    const { key } = await client.createKey({ body: { name: scope, scopes: [scope], site: token } });
    return createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  };
  const [reader, writer] = [await by('dsar:read'), await by('dsar:write')];
  expect((await refusal(own([view('A')], reader))).status).toBe(403);
  await own([view('A')], writer);
  expect((await read(reader)).own.views).toEqual((await read()).own.views);
});

test('a list is saved 200 times in a day, and the audit trail tells of own ones only how many they are', async () => {
  const { client, token, own, shared } = await desk();
  const viewer = await member(server, { client, token }, 'viewer');
  await own([view('Mine, and nobody else knows')], viewer.client);
  await own([view('Mine'), view('Another')], viewer.client);
  await shared([view('For all')]);
  const { items } = await client.listAuditEvents({ token });
  const told = (operation: string) => items.filter((event) => event.operation === operation);
  expect(told('saveOwnDsarViews').map(({ changes }) => changes)).toEqual([
    [expect.objectContaining({ field: 'views', before: '1', after: '2' })],
    [expect.objectContaining({ field: 'views', before: '0', after: '1' })],
  ]);
  expect(JSON.stringify(told('saveSharedDsarViews'))).toContain('For all');
  const rows = rowsIn(server, 'dsar_views', token).where({ user_id: viewer.userId });
  await rows.clone().update({ changes: 200 });
  const error = await refusal(own([view('Once more')], viewer.client));
  expect([error.status, error.message]).toEqual([429, expect.stringMatching(/at most 200 times in a day/)]);
  // What changes nothing is no change.
  await own([view('Mine'), view('Another')], viewer.client);
  await rows.clone().update({ changed_on: '2026-01-01' });
  expect((await own([view('Once more')], viewer.client)).views).toHaveLength(1);
});
