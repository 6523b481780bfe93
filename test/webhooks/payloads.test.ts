import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { dsarDueAt } from '../../server/src/domain/deadlines';
import { startServer, type TestServer } from '../helpers/server';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

const HOUR = 3_600_000;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

const SITE = ['event', 'environment', 'environment_url', 'timestamp'];
const DSAR = [...SITE, 'request_id', 'request_type', 'email', 'due_at'];
const BREACH = [...SITE, 'breach_id', 'title', 'severity', 'aware_at', 'notify_by', 'affected_subjects'];
const CONSENT = ['event', 'environment', 'timestamp', 'data'];
/** The fields of every payload, in their order. */
const FIELDS = {
  'consent.accept_all': CONSENT,
  'consent.reject_all': CONSENT,
  'consent.save_preferences': CONSENT,
  'dsar.created': DSAR,
  'dsar.resolved': [...DSAR, 'resolved_at', 'resolution'],
  'breach.created': BREACH,
  'breach.reported': [...BREACH, 'reported_at', 'authority', 'authority_reference', 'late'],
};
type Name = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Name[];

// biome-ignore lint/suspicious/noExplicitAny: a payload as it came, whose shape is what is tested
type Payload = any;

let server: TestServer;
let receiver: Receiver;
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form JSON
let document: any;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ variables: INWARD });
  document = await (await fetch(`${server.url}/openapi.json`)).json();
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

/** The validator of what the published contract says that a webhook receives. */
function validatorOf(event: string): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv, { mode: 'full' });
  for (const format of ['int32', 'int64', 'bytes']) ajv.addFormat(format, true);
  ajv.addSchema(document, 'contract');
  const { schema } = document.webhooks[event].post.requestBody.content['application/json'];
  return ajv.compile({ $ref: `contract${schema.$ref}` });
}

const errorsOf = (payload: Payload): unknown[] => {
  const validate = validatorOf(payload.event);
  validate(payload);
  return validate.errors ?? [];
};

type Site = Awaited<ReturnType<TestServer['site']>>;

/** Does something and returns the bodies that a webhook to everything received of it, by event. */
async function caused(act: (site: Site) => Promise<unknown>, count: number, settings?: object) {
  const site = await server.site(settings);
  const own = await startReceiver();
  try {
    await site.client.createWebhook({ token: site.token, body: { url: own.url, events: '*' } });
    await act(site);
    const received = await own.until(count);
    const bodies = new Map(received.map(({ headers, body }) => [headers['x-service-event'] as string, body]));
    const payload = (event: Name): Payload => JSON.parse(bodies.get(event) as string);
    return { site, received, bodies, payload };
  } finally {
    await own.stop();
  }
}

const breachInput = (given: Partial<Input<'createBreach'>['body']> = {}): Input<'createBreach'>['body'] => ({
  title: 'Lost laptop',
  nature: 'Confidentiality',
  description: 'A laptop was lost.',
  severity: 'high',
  aware_at: new Date(Date.now() - HOUR).toISOString(),
  data_categories: ['names'],
  subject_categories: ['customers'],
  consequences: 'Unknown.',
  measures: 'Remote wipe.',
  ...given,
});

const session_id = randomUUID();
/** Each of the seven events. */
async function everything({ client, token }: Site): Promise<void> {
  const decide = (decision: 'accept_all' | 'reject_all') =>
    server.visitor.logConsent({ token, body: { session_id, decision } });
  await decide('accept_all');
  await decide('reject_all');
  await server.visitor.savePreferences({ token, body: { session_id, categories: { analytics: true } } });
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: 'Visitor+ä@Example.com', name: 'Ada', message: 'Please.' },
  });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', note: 'Done.' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput({ affected_subjects: 12 }) });
  await client.reportBreach({ token, breach_id, body: { authority: 'BfDI', authority_reference: 'A 1' } });
}

test('the contract publishes all seven events, and no others', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...NAMES].sort());
  expect(document.components.schemas.EventName.enum.sort()).toEqual([...NAMES].sort());
});

test.each(NAMES)('the declared schema of %s has exactly its fields, every one required', (event) => {
  const { schema } = document.webhooks[event].post.requestBody.content['application/json'];
  const declared = document.components.schemas[schema.$ref.split('/').at(-1)];
  expect(Object.keys(declared.properties).sort()).toEqual([...FIELDS[event]].sort());
  expect([...declared.required].sort()).toEqual([...FIELDS[event]].sort());
  expect(declared.additionalProperties).toBe(false);
});

describe('of the seven events', () => {
  let all: Awaited<ReturnType<typeof caused>>;
  beforeAll(async () => {
    all = await caused(everything, 7);
  });

  test.each(NAMES)('%s has its fields in their order and fits its declared schema', (event) => {
    const payload = all.payload(event);
    expect(Object.keys(payload)).toEqual(FIELDS[event]);
    expect([payload.event, payload.environment]).toEqual([event, all.site.token]);
    expect(errorsOf(payload)).toEqual([]);
  });

  test('the schema of one does not fit another one', () => {
    for (const event of NAMES) {
      for (const other of NAMES.filter((name) => name !== event))
        expect([event, other, validatorOf(other)(all.payload(event))]).toEqual([event, other, false]);
    }
  });

  test('what was stored is what was sent, byte for byte, and what the list shows', async () => {
    const { client, token } = all.site;
    const rows = await server.service.context.db('events').whereIn(
      'event_id',
      all.received.map(({ headers }) => headers['webhook-id'] as string),
    );
    const stored = new Map(rows.map(({ event_id, payload }) => [event_id, payload]));
    expect(stored.size).toBe(7);
    const { items } = await client.listEvents({ token });
    const listed = new Map(items.map(({ event_id, payload }) => [event_id, JSON.stringify(payload)]));
    for (const { headers, body } of all.received) {
      const id = headers['webhook-id'] as string;
      expect(Buffer.from(body)).toEqual(Buffer.from(stored.get(id)));
      expect(listed.get(id)).toBe(body);
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    }
  });

  test.each([
    ['consent.accept_all', { functional: true, analytics: true, marketing: true }],
    ['consent.reject_all', { functional: false, analytics: false, marketing: false }],
    ['consent.save_preferences', { functional: false, analytics: true, marketing: false }],
  ] as const)('%s says session, masked address and categories, in UTC with Z', (event, categories) => {
    const { timestamp, data } = all.payload(event);
    expect(timestamp).toMatch(UTC);
    expect(Object.keys(data)).toEqual(['session_id', 'ip_masked', 'categories']);
    expect(data).toMatchObject({ session_id, categories });
    expect(Object.keys(data.categories).sort()).toEqual(Object.keys(categories).sort());
    expect(data.ip_masked).toBe('127.0.***.***');
  });

  test('dsar.created says type, address and a deadline 30 days after creation, with numeric offsets', async () => {
    const payload = all.payload('dsar.created');
    const { client, token } = all.site;
    const request = await client.getDsar({ token, request_id: payload.request_id });
    expect(payload).toMatchObject({
      environment_url: 'https://shop.example.com',
      request_type: 'erasure',
      email: 'Visitor+ä@Example.com',
      due_at: request.due_at.replace('Z', '+00:00'),
    });
    for (const field of ['timestamp', 'due_at']) expect(payload[field]).toMatch(OFFSET);
    expect(Date.parse(payload.due_at)).toBe(dsarDueAt(new Date(request.created_at), 'UTC').getTime());
    expect(Math.abs(Date.parse(payload.timestamp) - Date.parse(request.created_at))).toBeLessThan(5000);
  });

  test('dsar.resolved says the same and how and when it ended', async () => {
    const payload = all.payload('dsar.resolved');
    const created = all.payload('dsar.created');
    for (const field of DSAR.filter((name) => !['event', 'timestamp'].includes(name)))
      expect([field, payload[field]]).toEqual([field, created[field]]);
    const { client, token } = all.site;
    const { resolved_at } = await client.getDsar({ token, request_id: payload.request_id });
    expect(payload.resolution).toBe('fulfilled');
    expect(payload.resolved_at).toBe(resolved_at?.replace('Z', '+00:00'));
    for (const field of ['timestamp', 'due_at', 'resolved_at']) expect(payload[field]).toMatch(OFFSET);
  });

  test('breach.created says what and how bad, and the end of the 72 hours', async () => {
    const payload = all.payload('breach.created');
    expect(payload).toMatchObject({
      ...{ title: 'Lost laptop', severity: 'high', affected_subjects: 12 },
      environment_url: 'https://shop.example.com',
    });
    for (const field of ['timestamp', 'aware_at', 'notify_by']) expect(payload[field]).toMatch(OFFSET);
    expect(Date.parse(payload.notify_by) - Date.parse(payload.aware_at)).toBe(72 * HOUR);
  });

  test('breach.reported says the same, and to whom, when and whether in time', async () => {
    const payload = all.payload('breach.reported');
    const created = all.payload('breach.created');
    for (const field of BREACH.filter((name) => !['event', 'timestamp'].includes(name)))
      expect([field, payload[field]]).toEqual([field, created[field]]);
    expect(payload).toMatchObject({ authority: 'BfDI', authority_reference: 'A 1', late: false });
    expect(payload.reported_at).toMatch(OFFSET);
  });

  test('none says more of a person than its fields: no name, no message, no note, no whole address', () => {
    for (const body of all.bodies.values())
      expect(body).not.toMatch(/Ada|Please\.|Done\.|127\.0\.0\.1|A laptop was lost\.|Remote wipe/);
  });
});

test('what is not known is null, never left out', async () => {
  const { payload } = await caused(async ({ client, token }) => {
    const { breach_id } = await client.createBreach({ token, body: breachInput() });
    await client.reportBreach({ token, breach_id, body: {} });
  }, 2);
  const { authority, authority_reference, affected_subjects } = payload('breach.reported');
  expect([authority, authority_reference, affected_subjects]).toEqual([null, null, null]);
  expect(payload('breach.created').affected_subjects).toBeNull();
  expect(errorsOf(payload('breach.reported'))).toEqual([]);
});

test('a late report says so, with the authority of the controller', async () => {
  const { payload } = await caused(
    async ({ client, token }) => {
      const aware_at = new Date(Date.now() - 73 * HOUR).toISOString();
      const { breach_id } = await client.createBreach({ token, body: breachInput({ aware_at }) });
      await client.reportBreach({ token, breach_id, body: { late_reason: 'Unknown before.' } });
    },
    2,
    { controller: { authority: 'CNIL' } },
  );
  expect(payload('breach.reported')).toMatchObject({ late: true, authority: 'CNIL' });
});

test('an extension is not in dsar.resolved: its deadline is the first one', async () => {
  const { payload } = await caused(async ({ client, token }) => {
    const body = { request_type: 'access' as const, email: 'a@example.com' };
    const { request_id } = await server.visitor.submitDsar({ token, body });
    await client.extendDsar({ token, request_id, body: { reason: 'Much to search.' } });
    await client.resolveDsar({ token, request_id, body: { resolution: 'refused' } });
  }, 2);
  expect(payload('dsar.resolved').due_at).toBe(payload('dsar.created').due_at);
});

test('an instant with another offset is sent in UTC', async () => {
  const { payload } = await caused(
    ({ client, token }) =>
      client.createBreach({ token, body: breachInput({ aware_at: '2026-03-29T03:30:00.5+02:00' }) }),
    1,
  );
  expect(payload('breach.created')).toMatchObject({
    aware_at: '2026-03-29T01:30:00.500+00:00',
    notify_by: '2026-04-01T01:30:00.500+00:00',
  });
});

test('any text and any site survive the way as they are', async () => {
  const title = 'Ünïcödé 🦉 "quotes" \\ </script> \u2028 and\nlines\u007f';
  const settings = { categories: [{ key: 'necessary', name: 'N', description: '', required: true }] };
  const { site, received, payload } = await caused(
    async ({ client, token }) => {
      await client.updateEnvironment({
        token,
        body: { domain: 'müller.example', url: 'https://müller.example/ä?b#c' },
      });
      await client.createBreach({ token, body: breachInput({ title }) });
      await server.visitor.logConsent({
        token,
        body: { session_id: session_id.toUpperCase(), decision: 'accept_all' },
      });
    },
    2,
    settings,
  );
  expect(payload('breach.created')).toMatchObject({ title, environment_url: 'https://müller.example/ä?b#c' });
  // A site where nothing is asked has no categories to tell of.
  expect(payload('consent.accept_all').data).toMatchObject({ session_id, categories: {} });
  for (const { body } of received) expect(errorsOf(JSON.parse(body))).toEqual([]);
  expect((await site.client.listEvents({ token: site.token })).items).toHaveLength(2);
});

test('decisions of every visitor endpoint tell the same event', async () => {
  const sessions = [randomUUID(), randomUUID()];
  const { received } = await caused(async ({ token }) => {
    await server.visitor.logConsent({
      token,
      body: { session_id: sessions[0] as string, decision: 'accept_all' },
    });
    await server.visitor.recordVisitorConsent({
      token,
      body: {
        event_id: randomUUID(),
        session_id: sessions[1] as string,
        decision: 'accept_all',
      } as Input<'recordVisitorConsent'>['body'],
    });
  }, 2);
  const payloads = received.map(({ body }) => JSON.parse(body));
  expect(payloads.map(({ event }) => event)).toEqual(['consent.accept_all', 'consent.accept_all']);
  expect(payloads.map(({ data }) => data.session_id).sort()).toEqual([...sessions].sort());
});
