import { refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { breachInput, DAY, fromNow, HOUR, submit } from '../helpers/site/data-subject-requests';
import { eventually } from '../helpers/until';
import { answering, receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

/** Two quick attempts, then an hour of waiting. */
const server = useServer({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,3600,3600,3600' } });

type Site = Awaited<ReturnType<TestServer['site']>>;

/** The warnings of a site, which must be the same wherever they are shown. */
async function warningsOf({ client, token }: Site) {
  const { items } = await client.listWarnings({ token });
  expect((await client.getEnvironment({ token })).warnings).toEqual(items);
  const { items: environments } = await client.listEnvironments();
  expect(environments.find((one) => one.token === token)?.warnings).toEqual(items);
  return items;
}
/** Requests are dated in the database here, which the evidence log finds: not what is tested. */
const warningsBut = async (site: Site) =>
  (await warningsOf(site)).filter(({ code }) => code !== 'evidence_log_damaged');
const codesOf = async (site: Site) => (await warningsBut(site)).map(({ code }) => code);

/** A request whose deadline is so far from now. */
async function requestDue({ token }: Site, left: number, extended?: number): Promise<string> {
  const { request_id } = await submit(server, token);
  await server.service.context
    .db('dsar_requests')
    .where({ request_id })
    .update({
      due_at: fromNow(left),
      ...(extended === undefined ? {} : { extended_until: fromNow(extended) }),
    });
  return request_id;
}

/** A breach whose 72 hours end so far from now. */
const breachDue = async ({ client, token }: Site, left: number): Promise<string> => {
  const body = breachInput({ aware_at: fromNow(left - 72 * HOUR) });
  return (await client.createBreach({ token, body })).breach_id;
};

/** A webhook to a receiver that answers so. */
async function webhookAnswered({ client, token }: Site, status: number): Promise<string> {
  const { url } = await receive(answering(status));
  return (await client.createWebhook({ token, body: { url, events: ['dsar.created'] } })).webhook_id;
}

test('a site in order has no warnings', async () => {
  const site = await server.site();
  await webhookAnswered(site, 200);
  await submit(server, site.token);
  await breachDue(site, 71 * HOUR);
  expect(await warningsOf(site)).toEqual([]);
});

test('a webhook warns from its second failure in a row on, and no more once it works', async () => {
  const site = await server.site();
  const { client, token } = site;
  const webhook_id = await webhookAnswered(site, 500);
  await submit(server, token);
  const webhook = await eventually(
    () => client.getWebhook({ token, webhook_id }),
    ({ consecutive_failures }) => consecutive_failures === 2,
  );
  expect(webhook.status).toBe('failing');
  expect(await warningsOf(site)).toEqual([
    {
      code: 'webhook_failing',
      severity: 'warning',
      message: expect.stringMatching(/127\.0\.0\.1:\d+ has failed 2 times in a row/),
      subject_id: webhook_id,
      since: expect.any(String),
    },
  ]);
  await client.reactivateWebhook({ token, webhook_id });
  await client.deleteWebhook({ token, webhook_id });
  expect(await warningsOf(site)).toEqual([]);
});

test('one failure is no warning', async () => {
  const site = await server.site();
  const webhook_id = await webhookAnswered(site, 200);
  await server.service.context
    .db('webhooks')
    .where({ webhook_id })
    .update({ status: 'failing', consecutive_failures: 1 });
  expect(await warningsOf(site)).toEqual([]);
});

test('a disabled webhook warns until it is reactivated', async () => {
  const site = await server.site();
  const { client, token } = site;
  const webhook_id = await webhookAnswered(site, 410);
  await submit(server, token);
  const { disabled_at } = await eventually(
    () => client.getWebhook({ token, webhook_id }),
    ({ status }) => status === 'disabled',
  );
  expect(await warningsOf(site)).toEqual([
    {
      code: 'webhook_disabled',
      severity: 'critical',
      message: expect.stringMatching(/is disabled \(The receiver answered 410 Gone\).*reactivate/),
      subject_id: webhook_id,
      since: disabled_at,
    },
  ]);
  const { url } = await receive();
  await client.updateWebhook({ token, webhook_id, body: { url } });
  expect(await codesOf(site)).toEqual(['webhook_disabled']);
  await client.reactivateWebhook({ token, webhook_id });
  expect(await warningsOf(site)).toEqual([]);
});

test('a request warns in its last week and when it is overdue, by the extended deadline', async () => {
  const site = await server.site();
  const due = await requestDue(site, 7 * DAY - HOUR);
  await requestDue(site, 7 * DAY + HOUR);
  const late = await requestDue(site, -HOUR);
  await requestDue(site, -DAY, 59 * DAY);
  const extendedAndDue = await requestDue(site, -59 * DAY, DAY);
  const found = (await warningsOf(site)).map(({ code, severity, subject_id }) => [
    code,
    severity,
    subject_id,
  ]);
  expect(found).toEqual([
    ['dsar_overdue', 'critical', late],
    ['dsar_due', 'warning', extendedAndDue],
    ['dsar_due', 'warning', due],
  ]);
});

test('a request that is extended or resolved warns no more', async () => {
  const site = await server.site();
  const { client, token } = site;
  const [extended, resolved] = [await requestDue(site, DAY), await requestDue(site, -DAY)];
  await client.startDsar({ token, request_id: resolved });
  expect(await codesOf(site)).toEqual(['dsar_overdue', 'dsar_due']);
  // Told by letter: what is to be mailed, and is not, warns of that.
  await client.extendDsar({
    ...{ token, request_id: extended },
    body: { reason: 'Much to search.', mail: false },
  });
  expect(await codesOf(site)).toEqual(['dsar_overdue']);
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'fulfilled', mail: false } });
  expect(await codesOf(site)).toEqual([]);
});

test('a breach warns in its last day and when its clock has run out, until it is reported', async () => {
  const site = await server.site();
  const { client, token } = site;
  await breachDue(site, 25 * HOUR);
  const running = await breachDue(site, 23 * HOUR);
  const late = await breachDue(site, -HOUR);
  const found = (await warningsOf(site)).map(({ code, severity, subject_id }) => [
    code,
    severity,
    subject_id,
  ]);
  expect(found).toEqual([
    ['breach_overdue', 'critical', late],
    ['breach_clock', 'critical', running],
  ]);
  await client.reportBreach({ token, breach_id: running, body: {} });
  await client.reportBreach({ token, breach_id: late, body: { late_reason: 'Unknown before.' } });
  expect(await warningsOf(site)).toEqual([]);
});

test('the most severe come first, whatever they are about', async () => {
  const site = await server.site();
  await requestDue(site, DAY);
  await webhookAnswered(site, 410);
  await submit(server, site.token);
  await eventually(
    () => site.client.listWarnings({ token: site.token }),
    ({ items }) => items.some(({ code }) => code === 'webhook_disabled'),
  );
  await breachDue(site, HOUR);
  await requestDue(site, -DAY);
  const severities = (await warningsOf(site)).map(({ severity }) => severity);
  expect(severities).toEqual(['critical', 'critical', 'critical', 'warning']);
});

/** Makes copies of a webhook in a state. */
const copyWebhook = (webhook_id: string, copies: number, columns: object) =>
  server.service.context.db.raw(
    `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('webhook_id', gen_random_uuid()) || ?)).*
     FROM webhooks w, generate_series(1, ?) WHERE w.webhook_id = ?`,
    [JSON.stringify(columns), copies, webhook_id],
  );

test('a hundred are shown at the most, and the lesser ones are left out', async () => {
  const site = await server.site();
  const webhook_id = await webhookAnswered(site, 200);
  const noted = { last_counted_at: fromNow(-HOUR), disabled_at: fromNow(-HOUR) };
  await copyWebhook(webhook_id, 120, { ...noted, status: 'failing', consecutive_failures: 1 });
  await copyWebhook(webhook_id, 120, { ...noted, status: 'failing', consecutive_failures: 3 });
  await copyWebhook(webhook_id, 3, { ...noted, status: 'disabled', consecutive_failures: 5 });
  await breachDue(site, HOUR);
  const codes = await codesOf(site);
  const count = (code: string) => codes.filter((one) => one === code).length;
  expect(codes).toHaveLength(100);
  expect([count('breach_clock'), count('webhook_disabled'), count('webhook_failing')]).toEqual([1, 3, 96]);
});

test("somebody else's site warns nobody here", async () => {
  const [mine, theirs] = [await server.site(), await server.site()];
  await breachDue(theirs, HOUR);
  expect(await warningsOf(mine)).toEqual([]);
  expect((await refusal(mine.client.listWarnings({ token: theirs.token }))).status).toBe(404);
  expect((await fetch(`${server.url}/api/cookies/${theirs.token}/warnings`)).status).toBe(401);
});
