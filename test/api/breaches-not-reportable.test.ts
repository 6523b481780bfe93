import type { Input } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { breachInput, fromNow, HOUR } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer();

const LATE = { aware_at: fromNow(-100 * HOUR) };
const reason = 'The disk was encrypted, and the key did not leave the house.';

/** A site with one breach that is overdue. */
async function withBreach(given: Partial<Input<'createBreach'>['body']> = LATE) {
  const site = await server.site();
  const { breach_id } = await site.client.createBreach({ token: site.token, body: breachInput(given) });
  return { ...site, path: { token: site.token, breach_id } };
}

test('a breach that need not be reported has its reason, no clock and no warning', async () => {
  const site = await withBreach();
  const { client, token, path, email } = site;
  expect(await client.getBreach(path)).toMatchObject({ status: 'created', overdue: true });
  const breach = await client.markBreachNotReportable({ ...path, body: { reason } });
  expect(breach).toMatchObject({
    ...{ status: 'not_reportable', overdue: false, not_reportable_reason: reason },
    ...{ not_reportable_at: expect.any(String), reported_at: null },
  });
  expect(breach.history.at(-1)).toMatchObject({ actor: email, action: 'not_reportable', note: reason });
  expect(await client.getBreach(path)).toEqual({ ...breach, evidence: expect.any(Object) });
  expect((await client.listWarnings({ token })).items).toEqual([]);
  expect((await client.getEnvironment({ token })).warnings).toEqual([]);
  const { checks } = await client.getComplianceScore({ token });
  expect(checks.find(({ id }) => id === 'breaches_reported')).toMatchObject({ status: 'pass' });
  // The seven events stay seven.
  expect((await rowsIn(server, 'events', token)).map(({ event }) => event)).toEqual(['breach.created']);
});

test('the list and the export are filtered by the state', async () => {
  const { client, token, path } = await withBreach();
  const open = await client.createBreach({ token, body: breachInput(LATE) });
  await client.markBreachNotReportable({ ...path, body: { reason } });
  const ids = async (filter: object) =>
    (await client.listBreaches({ token, ...filter })).items.map(({ breach_id }) => breach_id);
  expect(await ids({ status: 'not_reportable' })).toEqual([path.breach_id]);
  expect(await ids({ status: 'created' })).toEqual([open.breach_id]);
  expect(await ids({ overdue: true })).toEqual([open.breach_id]);
  expect(await ids({ overdue: false })).toEqual([path.breach_id]);
  const lines = (await (await client.exportBreaches({ token, status: 'not_reportable' })).text()).trimEnd();
  expect(await client.getBreach(path)).toEqual({ ...JSON.parse(lines), evidence: expect.any(Object) });
});

test('it is reopened when the assessment changes; the clock is that of the breach, and the old reason stays', async () => {
  const { client, token, path } = await withBreach();
  await client.markBreachNotReportable({ ...path, body: { reason } });
  const opened = await client.reopenBreach({ ...path, body: { reason: 'The key was found with the disk.' } });
  expect(opened).toMatchObject({ status: 'created', overdue: true, not_reportable_reason: null });
  expect(opened.history.map(({ action, note }) => [action, note])).toEqual([
    ['created', null],
    ['not_reportable', reason],
    ['reopened', 'The key was found with the disk.'],
  ]);
  expect((await client.listWarnings({ token })).items.map(({ code }) => code)).toEqual(['breach_overdue']);
  const reported = await client.reportBreach({ ...path, body: { late_reason: 'It was judged otherwise.' } });
  expect(reported.status).toBe('reported');
});

test.each([
  ['a second time', ['mark', 'mark'], /already/],
  ['after the report', ['report', 'mark'], /reported/],
  ['reported before it is reopened', ['mark', 'report'], /reopen/],
  ['reopened while it is open', ['reopen'], /created/],
  ['reopened after the report', ['report', 'reopen'], /reported/],
] as const)('%s: a conflict that says what the state is', async (_, steps, message) => {
  const { client, path } = await withBreach({});
  const does = {
    mark: () => client.markBreachNotReportable({ ...path, body: { reason } }),
    report: () => client.reportBreach({ ...path, body: {} }),
    reopen: () => client.reopenBreach({ ...path, body: { reason } }),
  };
  for (const step of steps.slice(0, -1)) await does[step]();
  const before = await client.getBreach(path);
  const error = await refusal(does[steps.at(-1) as keyof typeof does]());
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(message);
  expect(await client.getBreach(path)).toEqual({ ...before, evidence: expect.any(Object) });
});

test('a reason is needed, and a viewer may not', async () => {
  const site = await withBreach();
  const error = await refusal(site.client.markBreachNotReportable({ ...site.path, body: {} as never }));
  expect(error.status).toBe(400);
  const viewer = await member(server, site, 'viewer');
  const refused = await refusal(viewer.client.markBreachNotReportable({ ...site.path, body: { reason } }));
  expect(refused.status).toBe(403);
});

test.each([' ', '\u00a0\n\t', '\u200b\ufeff'])('blanks are no reason, and no fact: %j', async (blank) => {
  const { client, path } = await withBreach();
  const body = { reason: blank };
  const refused = await refusal(client.markBreachNotReportable({ ...path, body }));
  expect([refused.status, pathsOf(refused)]).toEqual([400, ['body.reason']]);
  await client.markBreachNotReportable({ ...path, body: { reason } });
  const reopened = await refusal(client.reopenBreach({ ...path, body }));
  expect([reopened.status, pathsOf(reopened)]).toEqual([400, ['body.reason']]);
  const facts = { nature: blank, measures: blank, data_categories: [blank, blank] };
  const { missing } = await client.updateBreach({ ...path, body: facts });
  expect(missing).toEqual([
    ...['nature', 'data_categories', 'affected_subjects', 'affected_records', 'measures'],
  ]);
});

test('a breach is recorded with what is known, and completed later, in phases', async () => {
  const { client, token } = await server.site();
  const body = { title: 'A laptop is missing', aware_at: fromNow(-HOUR) };
  const breach = await client.createBreach({ token, body });
  expect(breach).toMatchObject({
    ...body,
    ...{
      status: 'created',
      severity: 'unknown',
      nature: '',
      description: '',
      consequences: '',
      measures: '',
    },
    ...{ data_categories: [], affected_subjects: null },
    missing: [
      ...['nature', 'description', 'severity', 'data_categories', 'subject_categories'],
      ...['affected_subjects', 'affected_records', 'consequences', 'measures'],
    ],
  });
  const path = { token, breach_id: breach.breach_id };
  const later = { severity: 'high' as const, nature: 'Confidentiality', data_categories: ['names'] };
  const next = await client.updateBreach({ ...path, body: later });
  expect(next).toMatchObject(later);
  expect(next.missing).toEqual([
    ...['description', 'subject_categories', 'affected_subjects', 'affected_records'],
    ...['consequences', 'measures'],
  ]);
  expect((await client.listBreaches({ token, severity: 'unknown' })).items).toEqual([]);
  expect((await client.listBreaches({ token, severity: 'high' })).items).toEqual([next]);
  // It may be judged unknown again, and is then no medium one.
  await client.updateBreach({ ...path, body: { severity: 'unknown' } });
  expect((await client.listBreaches({ token, severity: 'medium' })).items).toEqual([]);
  expect((await client.listBreaches({ token, severity: 'unknown' })).items).toHaveLength(1);
});

test('the event of a breach of which little is known says so', async () => {
  const { client, token } = await server.site();
  const body = { title: 'A laptop is missing', aware_at: fromNow(-HOUR) };
  await client.createBreach({ token, body });
  const { items } = await client.listEvents({ token, order: 'newest' });
  expect(items[0]?.payload).toMatchObject({
    ...{ event: 'breach.created', title: body.title, severity: 'unknown', affected_subjects: null },
  });
});
