import { applyRetention } from '../../server/src/jobs/retention';
import { useServer } from '../helpers/server';
import { member, rowsIn } from '../helpers/site/people';

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });

const ACTIVITY = {
  ...{ name: 'Newsletter', purposes: ['News'], lawful_basis: 'consent' as const },
  ...{ subject_categories: ['Subscribers'], data_categories: ['E-mail addresses'] },
  recipients: ['Mailer Ltd', 'shop  DATABASE'],
};
const SYSTEMS = [
  { name: 'Shop database', description: 'Ask the administrators.' },
  { name: 'Paper archive' },
];

/** A site that names systems, and a request to it. */
async function asked(body: object = {}) {
  const site = await server.site({ processing_activities: [ACTIVITY] });
  const { client, token } = site;
  await client.setSiteSystems({ token, body: { systems: SYSTEMS } });
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'ada@example.com', ...body },
  });
  const of = { token, request_id };
  const fill = (names?: string[]) => client.fillSearchList({ ...of, body: names ? { names } : {} });
  return { ...site, of, fill };
}

const names = ({ lines }: { lines: { name: string }[] }) => lines.map(({ name }) => name);

test('an owner lists the systems of a site, each once', async () => {
  const { client, token } = await server.site();
  expect(await client.getSiteSystems({ token })).toEqual({ systems: [], version: 0, updated_at: null });
  const set = (systems: object[], expected_version?: number) =>
    client.setSiteSystems({
      token,
      body: {
        systems: systems as typeof SYSTEMS,
        ...(expected_version !== undefined && { expected_version }),
      },
    });
  expect(await set(SYSTEMS, 0)).toMatchObject({ systems: SYSTEMS, version: 1 });
  expect(await set(SYSTEMS, 0)).toMatchObject({ version: 1 });
  await expect(set([], 0)).rejects.toMatchObject({ status: 409 });
  await expect(set([{ name: 'CRM' }, { name: ' crm ' }])).rejects.toMatchObject({
    ...{ status: 400, errors: [{ path: 'body.systems.1.name' }] },
  });
  const operator = await member(server, { client, token }, 'operator');
  await expect(operator.client.setSiteSystems({ token, body: { systems: [] } })).rejects.toMatchObject({
    status: 403,
  });
  expect(await operator.client.getSiteSystems({ token })).toMatchObject({ systems: SYSTEMS });
});

test('the audit trail says what each change of the systems was', async () => {
  const { client, token } = await server.site();
  for (const systems of [SYSTEMS, SYSTEMS.slice(1), []])
    await client.setSiteSystems({ token, body: { systems } });
  const { items } = await client.listAuditEvents({ token, operation: 'setSiteSystems' });
  expect(items.map(({ changes }) => changes.map(({ field, after }) => [field, after === null]))).toEqual([
    [['systems[Paper archive]', true]],
    [['systems[Shop database]', true]],
    [
      ['systems[Shop database]', false],
      ['systems[Paper archive]', false],
    ],
  ]);
});

test('a list is made of systems, activities and recipients, each once, and later ones can be added', async () => {
  const { client, token, of, fill } = await asked();
  const before = await client.getSearchList(of);
  expect(before).toEqual({ lines: [], searched: 0, total: 0, not_listed: 4 });
  const list = await fill();
  expect(list.lines.map(({ name, origin, state }) => [name, origin, state])).toEqual([
    ['Shop database', 'system', 'open'],
    ['Paper archive', 'system', 'open'],
    ['Newsletter', 'activity', 'open'],
    ['Mailer Ltd', 'recipient', 'open'],
  ]);
  expect(await fill()).toEqual(list);
  await client.setSiteSystems({ token, body: { systems: [...SYSTEMS, { name: 'CRM' }] } });
  expect((await client.getSearchList(of)).not_listed).toBe(1);
  expect(names(await fill(['Mailbox of sales', 'crm']))).toEqual([
    ...names(list),
    ...['Mailbox of sales', 'crm'],
  ]);
});

test('what was found is noted with who and when, counted, and shown in the history', async () => {
  const { client, token, of, fill, email } = await asked();
  const { lines } = await fill();
  const operator = await member(server, { client, token }, 'operator');
  const [shop, archive] = lines.map(({ line_id }) => line_id) as [string, string];
  await operator.client.updateSearchLine({
    ...{ ...of, line_id: shop },
    body: { state: 'data_found', note: 'Two orders.', expected_version: 1 },
  });
  const late = { ...of, line_id: shop, body: { state: 'nothing_found' as const, expected_version: 1 } };
  await expect(client.updateSearchLine(late)).rejects.toMatchObject({ status: 409 });
  const list = await client.updateSearchLine({ ...of, line_id: archive, body: { state: 'not_applicable' } });
  expect(list).toMatchObject({
    searched: 2,
    total: 4,
    lines: [{ by: operator.email, version: 2 }, { by: email }, {}, {}],
  });
  expect(list.lines[0]).toMatchObject({ state: 'data_found', note: 'Two orders.', at: expect.any(String) });
  const dsar = await client.getDsar(of);
  expect(dsar.search).toEqual({ searched: 2, total: 4 });
  expect(dsar.history.slice(1)).toMatchObject([
    { actor: operator.email, action: 'system searched', note: 'Shop database: data found. Two orders.' },
    { actor: email, action: 'system searched', note: 'Paper archive: not applicable' },
  ]);
  // The trail says who did it, and not what the note says.
  const { items } = await client.listAuditEvents({ token });
  const changes = items.filter(({ operation }) => operation === 'updateSearchLine');
  expect(changes).toHaveLength(2);
  expect(JSON.stringify(items)).not.toContain('Two orders');
  expect(changes[0]).toMatchObject({ resource: 'request', resource_id: of.request_id });
});

test('a resolved request keeps its list as it is, until it is reopened', async () => {
  const { client, of, fill } = await asked();
  const { lines } = await fill();
  const line = { ...of, line_id: lines[0]?.line_id ?? '', body: { state: 'searched' as const } };
  await client.resolveDsar({ ...of, body: { resolution: 'fulfilled' } });
  await expect(fill()).rejects.toMatchObject({ status: 409 });
  await expect(client.updateSearchLine(line)).rejects.toMatchObject({ status: 409 });
  await client.reopenDsar({ ...of, body: { reason: 'Forgot one.' } });
  expect(await client.updateSearchLine(line)).toMatchObject({ searched: 1 });
});

test('a request has at most 200 lines: further names are refused, and what records name is left out', async () => {
  const { client, token, fill } = await asked();
  const recipients = Array.from({ length: 50 }, (_, at) => `recipient ${at}`);
  const processing_activities = Array.from({ length: 5 }, (_, at) => ({
    ...{ ...ACTIVITY, name: `activity ${at}` },
    recipients: recipients.map((name) => `${name} of ${at}`),
  }));
  await client.updateEnvironment({ token, body: { settings: { processing_activities } } });
  const list = await fill(['First']);
  expect([list.total, list.not_listed]).toEqual([200, 58]);
  expect(names(list)).toContain('First');
  await expect(fill(['One more'])).rejects.toMatchObject({ status: 409 });
});

test('an erasure of the person takes the lines of answered requests, and says how many', async () => {
  const { client, token, of, fill } = await asked();
  await fill();
  const other = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'somebody@example.com' },
  });
  await client.fillSearchList({ token, request_id: other.request_id, body: {} });
  const erase = (preview: boolean) =>
    client.eraseSubject({ token, body: { subject: { email: 'ada@example.com' }, preview } });
  const count = async (preview: boolean) =>
    (await erase(preview)).erased.find(({ kind }) => kind === 'searches')?.count;
  // An open request is still worked on.
  expect(await count(false)).toBe(0);
  await client.resolveDsar({ ...of, body: { resolution: 'fulfilled' } });
  expect(await count(true)).toBe(4);
  expect(await count(false)).toBe(4);
  expect(await client.getSearchList(of)).toMatchObject({ total: 0 });
  expect((await client.getDsar(of)).search).toBeNull();
  expect(await rowsIn(server, 'request_searches', token)).toHaveLength(4);
  const { items } = await client.listErasures({ token });
  expect(items[0]?.erased).toContainEqual({ kind: 'searches', count: 4 });
});

test('retention takes the lines with the request', async () => {
  const { client, token, of, fill } = await asked();
  await fill();
  await client.resolveDsar({ ...of, body: { resolution: 'fulfilled' } });
  const { db, log } = server.service.context;
  const resolved_at = new Date(Date.now() - 1096 * DAY);
  await db('dsar_requests').where({ request_id: of.request_id }).update({ resolved_at });
  await applyRetention(db, log, new Date());
  expect(await rowsIn(server, 'dsar_requests', token)).toEqual([]);
  expect(await rowsIn(server, 'request_searches', token)).toEqual([]);
});

test('requests and lines of other sites are not found', async () => {
  const [one, two] = [await asked(), await asked()];
  const { lines } = await two.fill();
  const body = { state: 'searched' as const };
  for (const request of [
    () => one.client.getSearchList({ token: one.token, request_id: two.of.request_id }),
    () => one.client.fillSearchList({ token: one.token, request_id: two.of.request_id, body: {} }),
    () => one.client.updateSearchLine({ ...one.of, line_id: lines[0]?.line_id ?? '', body }),
  ])
    await expect(request()).rejects.toMatchObject({ status: 404 });
});
