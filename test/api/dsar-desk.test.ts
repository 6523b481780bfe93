import { randomUUID } from 'node:crypto';
import type { Input, Output } from '@avow/sdk';
import { dsarDueAt, dsarExtendedUntil } from '../../server/src/domain/deadlines';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { fromNow, HOUR, submit } from '../helpers/site/data-subject-requests';
import { member, type Owned, rowsIn } from '../helpers/site/people';
import { INWARD, startReceiver } from '../helpers/webhooks/receiver';

const server = useServer({ variables: INWARD });

type Dsar = Output<'startDsar'>;
const RESOLUTIONS = ['fulfilled', 'partially_fulfilled', 'refused', 'duplicate', 'not_verified'] as const;

const start = ({ client, token }: Owned, request_id: string): Promise<Dsar> =>
  client.startDsar({ token, request_id });
const extend = ({ client, token }: Owned, request_id: string): Promise<Dsar> =>
  client.extendDsar({ token, request_id, body: { reason: 'Many systems.' } });
const resolve = ({ client, token }: Owned, request_id: string): Promise<Dsar> =>
  client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
const STEPS = { start, extend, resolve };

/** A request after the given steps. */
async function after(site: Owned, ...steps: (keyof typeof STEPS)[]): Promise<string> {
  const { request_id } = await submit(server, site.token);
  for (const step of steps) await STEPS[step](site, request_id);
  return request_id;
}

const eventsOf = async ({ token }: Owned, event: string) =>
  (await rowsIn(server, 'events', token)).filter((row) => row.event === event);

test('a request is started, extended and resolved, and its history tells by whom and when', async () => {
  const site = await server.site();
  const { client, token } = site;
  const ada = await member(server, site, 'operator');
  const { request_id, created_at, due_at } = await submit(server, token);
  const started = await ada.client.startDsar({ token, request_id, body: { note: 'Identity verified.' } });
  expect(started).toMatchObject({ status: 'in_progress', due_at, resolved_at: null });
  const reason = 'Many systems have to be searched.';
  const extended = await client.extendDsar({ token, request_id, body: { reason } });
  expect(extended).toMatchObject({ status: 'in_progress', due_at, extension_reason: reason });
  const resolved = await ada.client.resolveDsar({
    token,
    request_id,
    body: { resolution: 'partially_fulfilled', note: 'Invoices are kept by law.' },
  });
  expect(resolved).toMatchObject({
    status: 'resolved',
    resolution: 'partially_fulfilled',
    resolution_note: 'Invoices are kept by law.',
    overdue: false,
  });
  expect(resolved.history.map(({ actor, action, note }) => [actor, action, note])).toEqual([
    ['data subject', 'created', null],
    [ada.email, 'started', 'Identity verified.'],
    [site.email, 'extended', reason],
    [ada.email, 'resolved: partially_fulfilled', 'Invoices are kept by law.'],
  ]);
  const times = [created_at, ...resolved.history.map(({ at }) => at)].map(Date.parse);
  expect(Date.parse(resolved.resolved_at as string)).toBeGreaterThanOrEqual(times[3] as number);
  expect([...times.slice(1)]).toEqual(times.slice(1).sort((a, b) => a - b));
  expect(await client.getDsar({ token, request_id })).toEqual({
    ...resolved,
    ...{ search: null, evidence: expect.any(Object), answer: null },
    // This server has no mail server, so nobody was told.
    undelivered: ['answer', 'extension'].map((duty) => expect.objectContaining({ duty, state: 'unsent' })),
  });
});

test('an extension adds two months and leaves the first deadline as it was', async () => {
  const site = await server.site();
  for (const request_id of [await after(site), await after(site, 'start')]) {
    const { created_at, due_at, extended_until, status } = await extend(site, request_id);
    const due = dsarDueAt(new Date(created_at), 'UTC');
    expect([due_at, extended_until]).toEqual([
      due.toISOString(),
      dsarExtendedUntil(due, 'UTC').toISOString(),
    ]);
    expect(['created', 'in_progress']).toContain(status);
  }
});

test.each([
  ['start', ['start'], /in_progress/],
  ['start', ['resolve'], /resolved/],
  ['start', ['start', 'resolve'], /resolved/],
  ['extend', ['resolve'], /resolved/],
  ['extend', ['start', 'extend', 'resolve'], /resolved/],
  ['extend', ['extend'], /created.*extended already/],
  ['extend', ['start', 'extend'], /in_progress.*extended already/],
  ['extend', ['extend', 'start'], /in_progress.*extended already/],
  ['resolve', ['resolve'], /resolved/],
  ['resolve', ['start', 'extend', 'resolve'], /resolved/],
] as const)('to %s after %j is a conflict that names the state', async (step, before, state) => {
  const site = await server.site();
  const request_id = await after(site, ...before);
  const found = await site.client.getDsar({ token: site.token, request_id });
  const events = await rowsIn(server, 'events', site.token);
  const error = await refusal(STEPS[step](site, request_id));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(state);
  expect(await site.client.getDsar({ token: site.token, request_id })).toEqual({
    ...found,
    evidence: expect.any(Object),
  });
  expect(await rowsIn(server, 'events', site.token)).toEqual(events);
});

test.each([
  ['resolve', []],
  ['resolve', ['start']],
  ['resolve', ['extend']],
  ['start', ['extend']],
] as const)('to %s after %j is possible', async (step, before) => {
  const site = await server.site();
  const request_id = await after(site, ...before);
  await STEPS[step](site, request_id);
});

test.each(['start', 'extend', 'resolve'] as const)(
  'of operators who %s a request at once one succeeds, and the others are told that they were late',
  async (step) => {
    const site = await server.site();
    const others = [await member(server, site, 'operator'), await member(server, site, 'operator')];
    const people = [site.client, ...others.map(({ client }) => client)];
    const request_id = await after(site);
    const crowd = [...people, ...people, ...people];
    const outcomes = await Promise.allSettled(
      crowd.map((client) => STEPS[step]({ client, token: site.token }, request_id)),
    );
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []));
    expect(failures).toEqual(Array(crowd.length - 1).fill(409));
    const { history } = await site.client.getDsar({ token: site.token, request_id });
    expect(history).toHaveLength(2);
    expect(await eventsOf(site, 'dsar.resolved')).toHaveLength(step === 'resolve' ? 1 : 0);
  },
);

test('different steps at once are all kept in the history', async () => {
  const site = await server.site();
  const request_id = await after(site);
  await Promise.all([start(site, request_id), extend(site, request_id)]);
  const found = await site.client.getDsar({ token: site.token, request_id });
  expect(found).toMatchObject({ status: 'in_progress', extended_until: expect.any(String) });
  expect(found.history.map(({ action }) => action).sort()).toEqual(['created', 'extended', 'started']);
});

test('resolving sends exactly one dsar.resolved', async () => {
  const receiver = await startReceiver();
  try {
    const site = await server.site();
    const { client, token } = site;
    await client.createWebhook({ token, body: { url: receiver.url, events: ['dsar.resolved'] } });
    const request_id = await after(site, 'start', 'extend', 'resolve');
    await refusal(resolve(site, request_id));
    const [received] = await receiver.until(1);
    expect(JSON.parse(received?.body as string)).toMatchObject({
      event: 'dsar.resolved',
      request_id,
      resolution: 'fulfilled',
    });
    expect(await eventsOf(site, 'dsar.resolved')).toHaveLength(1);
    expect(await rowsIn(server, 'deliveries', token)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  } finally {
    await receiver.stop();
  }
});

test.each(RESOLUTIONS)('a request may end as %s', async (resolution) => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const body = { resolution };
  expect(await client.resolveDsar({ token, request_id, body })).toMatchObject({
    status: 'resolved',
    resolution,
    resolution_note: null,
  });
});

test.each([
  ['startDsar', { note: '' }, ['body.note']],
  ['startDsar', { note: 'n'.repeat(2001) }, ['body.note']],
  ['startDsar', { reason: 'x' }, ['body.reason']],
  ['extendDsar', {}, ['body.reason']],
  ['extendDsar', { reason: '' }, ['body.reason']],
  ['extendDsar', { reason: ' \n\u200b' }, ['body.reason']],
  ['extendDsar', { reason: 'r'.repeat(2001) }, ['body.reason']],
  ['extendDsar', { reason: 'x', days: 90 }, ['body.days']],
  ['resolveDsar', {}, ['body.resolution']],
  ['resolveDsar', { resolution: 'done' }, ['body.resolution']],
  ['resolveDsar', { resolution: 'refused', note: 'n'.repeat(10_001) }, ['body.note']],
  ['resolveDsar', { resolution: 'refused', note: 'a\0b' }, ['body.note']],
  ['resolveDsar', { resolution: 'refused', resolved_at: '2026-01-01T00:00:00.000Z' }, ['body.resolved_at']],
] as const)('%s refuses %j', async (operation, body, paths) => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const input = { token, request_id, body } as unknown as Input<'resolveDsar'>;
  const error = await refusal((client[operation] as typeof client.resolveDsar)(input));
  expect([error.status, pathsOf(error)]).toEqual([400, paths]);
  expect((await client.getDsar({ token, request_id })).history).toHaveLength(1);
});

test('a megabyte of text is refused, however it is sent', async () => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const note = (length: number) =>
    refusal(
      client.resolveDsar({ token, request_id, body: { resolution: 'refused', note: 'n'.repeat(length) } }),
    );
  expect((await note(1_000_000)).status).toBe(400);
  expect((await note(1024 * 1024)).status).toBe(413);
  expect((await client.getDsar({ token, request_id })).status).toBe('created');
});

test.each([
  ['viewer', 403],
  ['operator', 200],
  ['owner', 200],
] as const)('a %s who acts on a request gets %i, and may read it', async (role, expected) => {
  const site = await server.site();
  const { client } = await member(server, site, role);
  const person = { client, token: site.token };
  const request_id = await after(site);
  for (const step of [start, extend, resolve]) {
    if (expected === 200) await step(person, request_id);
    else expect((await refusal(step(person, request_id))).status).toBe(expected);
  }
  const { status } = await client.getDsar({ token: site.token, request_id });
  expect(status).toBe(expected === 200 ? 'resolved' : 'created');
  expect((await client.listDsar({ token: site.token })).items).toHaveLength(1);
});

test("nobody acts on somebody else's request, by whatever address", async () => {
  const [mine, theirs] = [await server.site(), await server.site()];
  const request_id = await after(theirs);
  for (const step of [start, extend, resolve]) {
    for (const token of [mine.token, theirs.token]) {
      const error = await refusal(step({ client: mine.client, token }, request_id));
      expect([error.status, error.code]).toEqual([404, 'not_found']);
    }
    expect((await refusal(step(mine, randomUUID()))).status).toBe(404);
  }
  const { history } = await theirs.client.getDsar({ token: theirs.token, request_id });
  expect(history).toHaveLength(1);
});

test('without a login nothing can be done', async () => {
  const { token } = await server.site();
  const { request_id } = await submit(server, token);
  for (const step of ['start', 'extend', 'resolve']) {
    const url = `${server.url}/api/cookies/${token}/dsar/${request_id}/${step}`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  }
});

const ZONES = ['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'];

async function moveTo({ client, token }: Owned, time_zone: string): Promise<void> {
  await client.updateEnvironment({ token, body: { settings: { time_zone } } });
}

test('a deadline that ended an hour ago is not brought back by another time zone of the site', async () => {
  const site = await server.site();
  const { request_id } = await submit(server, site.token);
  await server.service.context
    .db('dsar_requests')
    .where({ request_id })
    .update({ due_at: new Date(Date.now() - HOUR) });
  for (const time_zone of ZONES) {
    await moveTo(site, time_zone);
    expect((await refusal(extend(site, request_id))).status).toBe(409);
  }
});

test('the day of telling is judged by the time zone in which the deadline was set', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { request_id, due_at } = await client.recordDsar({
    token,
    body: {
      ...{ request_type: 'access', channel: 'letter', contact: 'Ada, 1 Main Street' },
      received_on: fromNow(-40 * 24 * HOUR).slice(0, 10),
    },
  });
  const tell = (after: number) => {
    const told_on = new Date(Date.parse(due_at) + after).toISOString().slice(0, 10);
    return client.extendDsar({ token, request_id, body: { reason: 'Many systems.', told_on } });
  };
  for (const time_zone of ZONES) {
    await moveTo(site, time_zone);
    expect((await refusal(tell(1))).status).toBe(409);
  }
  expect((await tell(0)).extended_until).toBe(dsarExtendedUntil(new Date(due_at), 'UTC').toISOString());
});
