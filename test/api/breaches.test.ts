import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import { raw } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { breachInput, fromNow, HOUR } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer();

type CreateBody = Input<'createBreach'>['body'];
type Filters = Omit<Input<'listBreaches'>, 'token'>;

/** Tries to record a breach that may break the contract. */
const record = (site: Awaited<ReturnType<TestServer['site']>>, given: object) =>
  site.client.createBreach({ token: site.token, body: { ...breachInput(), ...given } as CreateBody });

test('a breach is recorded with everything that Art. 33 asks for', async () => {
  const { client, token, email, userId } = await server.site();
  const body = {
    ...breachInput(),
    severity: 'critical' as const,
    occurred_from: fromNow(-10 * HOUR),
    occurred_to: fromNow(-9 * HOUR),
    data_categories: ['names', 'e-mail addresses 🦉'],
    subject_categories: ['customers', 'employees'],
    affected_subjects: 1200,
    affected_records: 2_147_483_647,
    subjects_informed_at: fromNow(-HOUR / 2),
  };
  const before = Date.now();
  const breach = await client.createBreach({ token, body });
  expect(breach).toEqual({
    ...body,
    breach_id: expect.any(String),
    notify_by: new Date(Date.parse(body.aware_at) + 72 * HOUR).toISOString(),
    status: 'created',
    reported_at: null,
    authority: null,
    authority_reference: null,
    late_reason: null,
    ...{ not_reportable_at: null, not_reportable_reason: null, missing: [] },
    created_at: expect.any(String),
    overdue: false,
    history: [{ at: expect.any(String), actor: email, action: 'created', note: null, user_id: userId }],
  });
  expect(Math.abs(Date.parse(breach.created_at) - before)).toBeLessThan(10_000);
  expect(await client.getBreach({ token, breach_id: breach.breach_id })).toEqual({
    ...breach,
    evidence: expect.any(Object),
  });
});

test('what is not known yet may be left out or null', async () => {
  const { client, token } = await server.site();
  const unknown = {
    ...{ occurred_from: null, occurred_to: null, affected_subjects: null },
    ...{ affected_records: null, subjects_informed_at: null },
  };
  expect(await client.createBreach({ token, body: breachInput() })).toMatchObject(unknown);
  expect(await client.createBreach({ token, body: breachInput(unknown) })).toMatchObject(unknown);
  const nothing = { data_categories: [], subject_categories: [], affected_subjects: 0 };
  expect(await client.createBreach({ token, body: breachInput(nothing) })).toMatchObject(nothing);
});

test('the 72 hours run from the moment of awareness, whatever its offset and precision', async () => {
  const { client, token } = await server.site();
  const aware_at = '2026-03-28T23:30:00.123456789+05:30';
  const breach = await client.createBreach({ token, body: breachInput({ aware_at }) });
  expect([breach.aware_at, breach.notify_by]).toEqual([
    '2026-03-28T18:00:00.123Z',
    '2026-03-31T18:00:00.123Z',
  ]);
});

test.each([
  ['nothing of it', {}, ['aware_at', 'title']],
  ['an empty title', { ...breachInput(), title: '' }, ['title']],
  ['a title of 201 characters', { ...breachInput(), title: 't'.repeat(201) }, ['title']],
  ['a nature of 5,001 characters', { ...breachInput(), nature: 'n'.repeat(5001) }, ['nature']],
  ['a description of 20,001', { ...breachInput(), description: 'd'.repeat(20_001) }, ['description']],
  ['consequences of 10,001', { ...breachInput(), consequences: 'c'.repeat(10_001) }, ['consequences']],
  ['measures of 10,001', { ...breachInput(), measures: 'm'.repeat(10_001) }, ['measures']],
  ['an unknown severity', { ...breachInput(), severity: 'none' }, ['severity']],
  ['a negative number', { ...breachInput(), affected_subjects: -1 }, ['affected_subjects']],
  ['a number beyond int32', { ...breachInput(), affected_records: 2 ** 31 }, ['affected_records']],
  ['half a person', { ...breachInput(), affected_subjects: 0.5 }, ['affected_subjects']],
  ['51 categories', { ...breachInput(), data_categories: Array(51).fill('x') }, ['data_categories']],
  ['an empty category', { ...breachInput(), subject_categories: [''] }, ['subject_categories.0']],
  ['a category of 301', { ...breachInput(), data_categories: ['x'.repeat(301)] }, ['data_categories.0']],
  ['a day without a time', { ...breachInput(), aware_at: '2026-11-21' }, ['aware_at']],
  ['a day that does not exist', { ...breachInput(), aware_at: '2026-02-30T00:00:00Z' }, ['aware_at']],
  ['an instant without a zone', { ...breachInput(), aware_at: '2026-11-21T00:00:00' }, ['aware_at']],
  [
    'a beginning after awareness',
    { ...breachInput(), occurred_from: fromNow(-HOUR / 2), aware_at: fromNow(-HOUR) },
    ['occurred_from'],
  ],
  ['null for awareness', { ...breachInput(), aware_at: null }, ['aware_at']],
  ['null for the title', { ...breachInput(), title: null }, ['title']],
  ['a NUL', { ...breachInput(), description: 'a\0b' }, ['description']],
  ['a deadline of its own', { ...breachInput(), notify_by: fromNow(0) }, ['notify_by']],
  ['a state of its own', { ...breachInput(), status: 'reported' }, ['status']],
])('a breach with %s is refused, every fault named', async (_, body, fields) => {
  const { client, token } = await server.site();
  const error = await refusal(client.createBreach({ token, body: body as CreateBody }));
  expect([error.status, pathsOf(error)]).toEqual([400, fields.map((field) => `body.${field}`)]);
  expect(await rowsIn(server, 'breaches', token)).toEqual([]);
  expect(await rowsIn(server, 'events', token)).toEqual([]);
});

test.each([
  ['known only in the future', { aware_at: fromNow(HOUR) }, ['aware_at']],
  ['begun in the future', { occurred_from: fromNow(HOUR) }, ['occurred_from']],
  ['ended in the future', { occurred_to: fromNow(HOUR) }, ['occurred_to']],
  ['ended in the next century', { occurred_to: '2099-12-31T23:59:59-12:00' }, ['occurred_to']],
  [
    'ended before it began',
    { occurred_from: fromNow(-HOUR), occurred_to: fromNow(-2 * HOUR) },
    ['occurred_to'],
  ],
  ['told to people in the future', { subjects_informed_at: fromNow(HOUR) }, ['subjects_informed_at']],
  ['known in another century, by its offset', { aware_at: '2000-01-01T00:00:00+14:00' }, ['aware_at']],
  ['begun in another century', { occurred_from: '2000-01-01T00:00:00+01:00' }, ['occurred_from']],
  [
    'wrong in two ways',
    { aware_at: fromNow(HOUR), occurred_from: fromNow(HOUR) },
    ['aware_at', 'occurred_from'],
  ],
])('a breach that is %s is refused', async (_, given, fields) => {
  const site = await server.site();
  const error = await refusal(record(site, given));
  expect([error.status, error.code]).toEqual([400, 'validation_failed']);
  expect(pathsOf(error)).toEqual(fields.map((field) => `body.${field}`));
  expect(await rowsIn(server, 'breaches', site.token)).toEqual([]);
});

test.each([false, true])('a megabyte of text never fails on our side (chunked: %s)', async (chunked) => {
  const { token, userId } = await server.site();
  const bearer = await server.service.context.tokens.issue(userId);
  for (const [length, expected] of [
    [1_000_000, 400],
    [1024 * 1024, 413],
    [5 * 1024 * 1024, 413],
  ] as const) {
    const answer = await raw(server.url, {
      ...{ method: 'POST', path: `/api/cookies/${token}/breaches`, chunked },
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer.token}` },
      body: JSON.stringify({ ...breachInput(), description: 'd'.repeat(length) }),
    });
    expect([length, answer.status]).toEqual([length, expected]);
  }
  expect(await rowsIn(server, 'breaches', token)).toEqual([]);
});

test('every text may be as long as the contract says, in characters of four bytes', async () => {
  const { client, token } = await server.site();
  const owls = (count: number) => '🦉'.repeat(count);
  const body = breachInput({
    ...{ title: owls(200), nature: owls(5000), description: owls(20_000) },
    ...{ consequences: owls(10_000), measures: owls(10_000) },
    ...{ data_categories: Array(50).fill(owls(300)), subject_categories: Array(50).fill(owls(300)) },
  });
  expect(await client.createBreach({ token, body })).toMatchObject(body);
});

test('a repeated request with its key records one breach and sends one event', async () => {
  const { client, token } = await server.site();
  const options = { idempotencyKey: randomUUID() };
  const body = breachInput();
  const answers = [];
  for (let count = 0; count < 3; count += 1)
    answers.push(await client.createBreach({ token, body }, options));
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(await rowsIn(server, 'breaches', token)).toHaveLength(1);
  expect(await rowsIn(server, 'events', token)).toHaveLength(1);
  const error = await refusal(
    client.createBreach({ token, body: breachInput({ title: 'Another' }) }, options),
  );
  expect(error.status).toBe(409);
});

describe('a change', () => {
  test('keeps what is left out and says in the history what was changed, and by whom', async () => {
    const site = await server.site();
    const { client, token, email } = site;
    const ada = await member(server, site, 'operator');
    const { breach_id, ...before } = await client.createBreach({
      token,
      body: breachInput({ occurred_from: fromNow(-5 * HOUR), affected_subjects: 7 }),
    });
    const body = { affected_subjects: 1200, measures: 'All keys were changed.' };
    const after = await ada.client.updateBreach({ token, breach_id, body });
    expect(after).toEqual({
      ...before,
      ...body,
      breach_id,
      history: [
        ...before.history,
        {
          at: expect.any(String),
          actor: ada.email,
          action: 'updated',
          note: 'affected_subjects, measures',
          user_id: ada.userId,
        },
      ],
    });
    const undone = { affected_subjects: null, occurred_from: null };
    const last = await client.updateBreach({ token, breach_id, body: undone });
    expect(last).toMatchObject(undone);
    expect(last.history.at(-1)).toMatchObject({ actor: email, note: 'affected_subjects, occurred_from' });
    expect(await client.getBreach({ token, breach_id })).toEqual({ ...last, evidence: expect.any(Object) });
    // The deadline follows from it: its value before stays to be seen.
    const moved = await client.updateBreach({ token, breach_id, body: { aware_at: fromNow(-HOUR) } });
    expect(moved.history.at(-1)?.note).toBe(`aware_at (before: ${before.aware_at})`);
  });

  test('of aware_at moves the end of the 72 hours, and with it whether the breach is overdue', async () => {
    const { client, token } = await server.site();
    const { breach_id } = await client.createBreach({ token, body: breachInput() });
    for (const [hours, overdue] of [
      [100, true],
      [71, false],
      [72.1, true],
      [1, false],
    ] as const) {
      const aware_at = fromNow(-hours * HOUR);
      const breach = await client.updateBreach({ token, breach_id, body: { aware_at } });
      expect(breach).toMatchObject({ aware_at, overdue });
      expect(Date.parse(breach.notify_by) - Date.parse(aware_at)).toBe(72 * HOUR);
    }
  });

  test('that changes nothing is no line of the history', async () => {
    const { client, token } = await server.site();
    const breach = await client.createBreach({ token, body: breachInput() });
    expect(await client.updateBreach({ token, breach_id: breach.breach_id, body: {} })).toEqual(breach);
  });

  test('sends no event', async () => {
    const { client, token } = await server.site();
    const { breach_id } = await client.createBreach({ token, body: breachInput() });
    await client.updateBreach({ token, breach_id, body: { title: 'Found laptop' } });
    expect(await rowsIn(server, 'events', token)).toHaveLength(1);
  });

  test.each([
    [{ aware_at: fromNow(HOUR) }, ['aware_at']],
    [{ occurred_to: fromNow(-11 * HOUR) }, ['occurred_to']],
    [{ occurred_from: fromNow(-8 * HOUR) }, ['occurred_to']],
    [{ title: null }, ['title']],
    [{ title: '' }, ['title']],
    [{ aware_at: null }, ['aware_at']],
    [{ reported_at: fromNow(0) }, ['reported_at']],
    [{ description: 'd'.repeat(1_000_000) }, ['description']],
  ])('of %j is refused and changes nothing', async (body, fields) => {
    const { client, token } = await server.site();
    const times = { occurred_from: fromNow(-10 * HOUR), occurred_to: fromNow(-9 * HOUR) };
    const breach = await client.createBreach({ token, body: breachInput(times) });
    const { breach_id } = breach;
    const error = await refusal(
      client.updateBreach({ token, breach_id, body: body as Input<'updateBreach'>['body'] }),
    );
    expect([error.status, pathsOf(error)]).toEqual([400, fields.map((field) => `body.${field}`)]);
    expect(await client.getBreach({ token, breach_id })).toEqual({ ...breach, evidence: expect.any(Object) });
  });

  test('by several people at once loses none of their parts', async () => {
    const { client, token } = await server.site();
    const { breach_id } = await client.createBreach({ token, body: breachInput() });
    const parts = [{ title: 'New' }, { nature: 'New' }, { measures: 'New' }, { affected_subjects: 3 }];
    await Promise.all(parts.map((body) => client.updateBreach({ token, breach_id, body })));
    const breach = await client.getBreach({ token, breach_id });
    expect(breach).toMatchObject(Object.assign({}, ...parts));
    expect(breach.history).toHaveLength(1 + parts.length);
  });
});

describe('the list', () => {
  const listed = async (site: Awaited<ReturnType<TestServer['site']>>, filters: Filters = {}) =>
    (await site.client.listBreaches({ token: site.token, ...filters })).items.map(({ title }) => title);

  test('is filtered by status, severity and being overdue, newest first', async () => {
    const site = await server.site();
    const { client, token } = site;
    const old = { aware_at: fromNow(-73 * HOUR) };
    await record(site, { title: 'a', severity: 'low' });
    await record(site, { title: 'b', severity: 'critical', ...old });
    const c = await record(site, { title: 'c', severity: 'critical', ...old });
    const d = await record(site, { title: 'd', severity: 'low' });
    await client.reportBreach({ token, breach_id: c.breach_id, body: { late_reason: 'Ill.' } });
    await client.reportBreach({ token, breach_id: d.breach_id, body: {} });
    expect(await listed(site)).toEqual(['d', 'c', 'b', 'a']);
    expect(await listed(site, { status: 'created' })).toEqual(['b', 'a']);
    expect(await listed(site, { status: 'reported' })).toEqual(['d', 'c']);
    expect(await listed(site, { severity: 'critical' })).toEqual(['c', 'b']);
    expect(await listed(site, { severity: 'medium' })).toEqual([]);
    expect(await listed(site, { overdue: true })).toEqual(['b']);
    expect(await listed(site, { overdue: false })).toEqual(['d', 'c', 'a']);
    expect(await listed(site, { overdue: false, severity: 'low', status: 'created' })).toEqual(['a']);
    for (const { title, overdue } of (await client.listBreaches({ token })).items)
      expect([title, overdue]).toEqual([title, title === 'b']);
  });

  test('is paged without a gap or a repetition while new breaches arrive', async () => {
    const site = await server.site();
    const { client, token } = site;
    for (const title of ['a', 'b', 'c', 'd', 'e']) await record(site, { title });
    const seen: string[] = [];
    for await (const { title } of client.listBreaches.each({ token, limit: 2 })) {
      seen.push(title);
      await record(site, { title: 'later' });
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test.each([
    ['status', { status: 'open' }],
    ['severity', { severity: 'none' }],
    ['overdue', { overdue: 'perhaps' }],
    ['cursor', { cursor: 'AAAA' }],
    ['limit', { limit: 1000 }],
  ])('refuses a wrong %s', async (name, filters) => {
    const { client, token } = await server.site();
    const error = await refusal(client.listBreaches({ token, ...(filters as Filters) }));
    expect([error.status, pathsOf(error)]).toEqual([400, [`query.${name}`]]);
  });
});

describe('who may', () => {
  test.each([
    ['viewer', 403],
    ['operator', 0],
    ['owner', 0],
  ] as const)('a %s', async (role, refused) => {
    const site = await server.site();
    const { token } = site;
    const { client } = await member(server, site, role);
    const { breach_id } = await record(site, {});
    const acts = [
      () => client.createBreach({ token, body: breachInput() }),
      () => client.updateBreach({ token, breach_id, body: { title: 'New' } }),
      () => client.reportBreach({ token, breach_id, body: {} }),
    ];
    for (const act of acts) {
      if (refused === 0) await act();
      else expect((await refusal(act())).status).toBe(refused);
    }
    expect((await client.listBreaches({ token })).items).toHaveLength(refused === 0 ? 2 : 1);
    expect((await client.getBreach({ token, breach_id })).status).toBe(
      refused === 0 ? 'reported' : 'created',
    );
  });

  test('nobody else, by whatever address', async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    const { breach_id } = await record(theirs, {});
    for (const token of [mine.token, theirs.token]) {
      const acts = [
        mine.client.getBreach({ token, breach_id }),
        mine.client.updateBreach({ token, breach_id, body: { title: 'Mine' } }),
        mine.client.reportBreach({ token, breach_id, body: {} }),
      ];
      for (const { status } of await Promise.all(acts.map(refusal))) expect(status).toBe(404);
    }
    expect(await theirs.client.getBreach({ token: theirs.token, breach_id })).toMatchObject({
      title: 'Lost laptop',
      status: 'created',
    });
    expect((await fetch(`${server.url}/api/cookies/${theirs.token}/breaches`)).status).toBe(401);
  });
});
