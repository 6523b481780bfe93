import type { Input, Output } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { breachInput, fromNow, HOUR } from '../helpers/site/data-subject-requests';
import { rowsIn } from '../helpers/site/people';

const server = useServer();

type Site = Awaited<ReturnType<TestServer['site']>>;
type Reported = Output<'listEvents'>['items'][number]['payload'] & { event: 'breach.reported' };

const record = async ({ client, token }: Site, aware_at = fromNow(-HOUR)): Promise<string> =>
  (await client.createBreach({ token, body: breachInput({ aware_at }) })).breach_id;

const report = ({ client, token }: Site, breach_id: string, body: Input<'reportBreach'>['body'] = {}) =>
  client.reportBreach({ token, breach_id, body });

/** The payloads of breach.reported of a site. */
const reports = async ({ client, token }: Site) =>
  (await client.listEvents({ token, event: 'breach.reported' })).items.map(
    ({ payload }) => payload as Reported,
  );

test('a breach is reported now, in time, and says by whom', async () => {
  const site = await server.site();
  const breach_id = await record(site);
  const before = Date.now();
  const breach = await report(site, breach_id, { authority: 'BfDI', authority_reference: '2026-4711' });
  expect(breach).toMatchObject({
    status: 'reported',
    authority: 'BfDI',
    authority_reference: '2026-4711',
    late_reason: null,
    overdue: false,
  });
  expect(Math.abs(Date.parse(breach.reported_at as string) - before)).toBeLessThan(10_000);
  expect(breach.history.at(-1)).toEqual({
    ...{ at: expect.any(String), actor: site.email, action: 'reported', note: null },
    user_id: site.userId,
  });
  expect(await site.client.getBreach({ token: site.token, breach_id })).toEqual({
    ...breach,
    evidence: expect.any(Object),
  });
  expect(await reports(site)).toMatchObject([{ breach_id, late: false, authority: 'BfDI' }]);
});

test('the authority is that of the controller unless another one is named', async () => {
  const site = await server.site({ controller: { authority: 'CNIL' } });
  expect((await report(site, await record(site))).authority).toBe('CNIL');
  expect((await report(site, await record(site), { authority: 'BfDI' })).authority).toBe('BfDI');
  const nobody = await server.site();
  expect((await report(nobody, await record(nobody))).authority).toBeNull();
  const events = [...(await reports(site)), ...(await reports(nobody))];
  expect(events.map(({ authority }) => authority)).toEqual(['CNIL', 'BfDI', null]);
});

test('a report after the 72 hours needs a reason, and is late with it', async () => {
  const site = await server.site();
  const breach_id = await record(site, fromNow(-73 * HOUR));
  const error = await refusal(report(site, breach_id, { authority: 'BfDI' }));
  expect([error.status, error.code, pathsOf(error)]).toEqual([
    400,
    'validation_failed',
    ['body.late_reason'],
  ]);
  const blank = await refusal(report(site, breach_id, { late_reason: ' \n' }));
  expect([blank.status, pathsOf(blank)]).toEqual([400, ['body.late_reason']]);
  expect(await reports(site)).toEqual([]);
  expect(await site.client.getBreach({ token: site.token, breach_id })).toMatchObject({
    status: 'created',
    overdue: true,
  });
  const late_reason = 'The extent was unknown.';
  const breach = await report(site, breach_id, { late_reason });
  expect(breach).toMatchObject({ status: 'reported', late_reason, overdue: false });
  expect(breach.history.at(-1)).toMatchObject({ action: 'reported', note: late_reason });
  expect(await reports(site)).toMatchObject([{ breach_id, late: true }]);
});

test('a report that was made in time needs no reason when it is recorded later', async () => {
  const site = await server.site();
  const aware_at = fromNow(-100 * HOUR);
  const breach_id = await record(site, aware_at);
  const reported_at = new Date(Date.parse(aware_at) + 72 * HOUR).toISOString();
  expect(await report(site, breach_id, { reported_at })).toMatchObject({ reported_at, late_reason: null });
  expect(await reports(site)).toMatchObject([
    { late: false, reported_at: reported_at.replace('Z', '+00:00') },
  ]);
});

test('a time of report that is stated afterwards is told by the history, beside the reason', async () => {
  const site = await server.site();
  const stated = fromNow(-HOUR);
  const noteOf = async (body: Input<'reportBreach'>['body'], aware_at?: string) =>
    (await report(site, await record(site, aware_at), body)).history.at(-1)?.note;
  const told = `stated: reported at ${stated}`;
  expect(await noteOf({ reported_at: stated }, fromNow(-2 * HOUR))).toBe(told);
  expect(await noteOf({ reported_at: stated, late_reason: 'Late.' }, fromNow(-100 * HOUR))).toBe(
    `Late. (${told})`,
  );
  expect(await noteOf({ reported_at: fromNow(-HOUR / 60) })).toBeNull();
});

test('a millisecond after the 72 hours is late', async () => {
  const site = await server.site();
  const aware_at = fromNow(-100 * HOUR);
  const breach_id = await record(site, aware_at);
  const reported_at = new Date(Date.parse(aware_at) + 72 * HOUR + 1).toISOString();
  expect(pathsOf(await refusal(report(site, breach_id, { reported_at })))).toEqual(['body.late_reason']);
  await report(site, breach_id, { reported_at, late_reason: 'Late.' });
  expect(await reports(site)).toMatchObject([{ late: true }]);
});

test.each<[string, object, string]>([
  ['in the future', { reported_at: fromNow(HOUR) }, 'reported_at'],
  ['before it was known', { reported_at: fromNow(-2 * HOUR) }, 'reported_at'],
  ['with an empty reason', { late_reason: '' }, 'late_reason'],
  ['with a reason of 5,001 characters', { late_reason: 'r'.repeat(5001) }, 'late_reason'],
  ['with an authority of 201 characters', { authority: 'a'.repeat(201) }, 'authority'],
  ['with an empty reference', { authority_reference: '' }, 'authority_reference'],
  ['with what is not known here', { status: 'reported' }, 'status'],
  ['with a megabyte of text', { late_reason: 'r'.repeat(1_000_000) }, 'late_reason'],
])('a breach cannot be reported %s', async (_, body, field) => {
  const site = await server.site();
  const breach_id = await record(site);
  const given = body as Input<'reportBreach'>['body'];
  const error = await refusal(report(site, breach_id, given));
  expect([error.status, pathsOf(error)]).toEqual([400, [`body.${field}`]]);
  expect(await reports(site)).toEqual([]);
});

test('more than the body may hold is refused with 413', async () => {
  const site = await server.site();
  const error = await refusal(report(site, await record(site), { late_reason: 'r'.repeat(1024 * 1024) }));
  expect([error.status, error.code]).toEqual([413, 'payload_too_large']);
});

test('somebody whose clock is ahead by minutes can record a breach and report it at once', async () => {
  const site = await server.site();
  const breach_id = await record(site, fromNow(4 * 60_000));
  const breach = await report(site, breach_id);
  expect(breach.status).toBe('reported');
  expect(Date.parse(breach.reported_at as string)).toBeGreaterThanOrEqual(Date.parse(breach.aware_at));
});

test('a second report is a conflict that names the state, and sends nothing', async () => {
  const site = await server.site();
  const breach_id = await record(site);
  const breach = await report(site, breach_id);
  const error = await refusal(report(site, breach_id, { authority: 'Other' }));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(/reported/);
  expect(await site.client.getBreach({ token: site.token, breach_id })).toEqual({
    ...breach,
    evidence: expect.any(Object),
  });
  expect(await reports(site)).toHaveLength(1);
});

test('of reports at once exactly one is made and sent', async () => {
  const site = await server.site();
  const breach_id = await record(site);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => report(site, breach_id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason.status).toBe(409);
  expect(await reports(site)).toHaveLength(1);
});

test('a reported breach may be completed, but not the moment that decided whether it was in time', async () => {
  const site = await server.site();
  const { client, token } = site;
  const breach_id = await record(site);
  const reported = await report(site, breach_id);
  const aware_at = fromNow(-2 * HOUR);
  const error = await refusal(client.updateBreach({ token, breach_id, body: { aware_at } }));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(/reported/);
  const body = { affected_subjects: 12, aware_at: reported.aware_at };
  const updated = await client.updateBreach({ token, breach_id, body });
  expect(updated).toMatchObject({
    affected_subjects: 12,
    status: 'reported',
    notify_by: reported.notify_by,
  });
  expect(await rowsIn(server, 'events', token)).toHaveLength(2);
});
