import { createHmac, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createAvow, verifyWebhook } from '@avow/sdk';
import pino from 'pino';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { breachInput, HOUR, submit } from '../helpers/site/data-subject-requests';
import { tablesOf } from '../helpers/site/rows';
import { receive } from '../helpers/webhooks/receive';
import { INWARD, type Received } from '../helpers/webhooks/receiver';

let server: TestServer;
const logged: string[] = [];
beforeAll(async () => {
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  server = await startServer({ variables: INWARD, log: pino({ level: 'trace' }, stream) });
});
afterAll(() => server.stop());

type Site = Awaited<ReturnType<TestServer['site']>>;

/** A site with a webhook to a receiver of its own. */
async function subscribed() {
  const site = await server.site();
  const receiver = await receive();
  const { webhook_id, secret } = await site.client.createWebhook({
    token: site.token,
    body: { url: receiver.url, events: '*' },
  });
  const rotate = (overlap_hours?: number) =>
    site.client.rotateWebhookSecret({
      ...{ token: site.token, webhook_id },
      ...(overlap_hours === undefined ? {} : { body: { overlap_hours } }),
    });
  /** The delivery of one new event. */
  const next = async (): Promise<Received> => {
    const count = receiver.received.length + 1;
    await submit(server, site.token);
    return (await receiver.until(count))[count - 1] as Received;
  };
  return { site, receiver, webhook_id, secret, rotate, next };
}

/** Lets the overlap of a rotation be over. */
const endOverlap = (webhook_id: string) =>
  server.service.context
    .db('webhooks')
    .where({ webhook_id })
    .update({ next_secret_from: new Date(Date.now() - 1) });

/** By which of the secrets each signature of a delivery was made. */
function signers({ headers, body }: Received, secrets: Record<string, string>) {
  const name = (fits: (secret: string) => boolean) =>
    Object.keys(secrets).find((key) => fits(secrets[key] as string)) ?? 'none';
  const hex = (header: unknown) =>
    header === undefined
      ? undefined
      : name((secret) => header === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const standard = String(headers['webhook-signature'])
    .split(' ')
    .map((signature) =>
      name((secret) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        return signature === `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
      }),
    );
  return {
    body: hex(headers['x-service-signature']),
    next: hex(headers['x-service-signature-next']),
    standard,
  };
}

const verifies = ({ body, headers }: Received, secret: string): Promise<boolean> =>
  verifyWebhook(body, headers, secret).then(
    () => true,
    () => false,
  );

const shown = async ({ client, token }: Site, webhook_id: string) =>
  (await client.getWebhook({ token, webhook_id })).previous_secret_until;

test('while a rotation overlaps, the old secret signs as before and the new one beside it', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  expect(signers(await next(), { old })).toEqual({ body: 'old', next: undefined, standard: ['old'] });
  const before = Date.now();
  const { secret: fresh, previous_secret_until } = await rotate(48);
  expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(fresh).not.toBe(old);
  expect(Date.parse(previous_secret_until as string) - before).toBeGreaterThanOrEqual(48 * HOUR);
  expect(Date.parse(previous_secret_until as string) - Date.now()).toBeLessThanOrEqual(48 * HOUR);
  expect(await shown(site, webhook_id)).toBe(previous_secret_until);
  const received = await next();
  expect(signers(received, { old, fresh })).toEqual({
    body: 'old',
    next: 'fresh',
    standard: ['old', 'fresh'],
  });
  expect(await verifies(received, old)).toBe(true);
  expect(await verifies(received, fresh)).toBe(true);
});

test('after the overlap only the new secret signs', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  const { secret: fresh } = await rotate();
  await endOverlap(webhook_id);
  expect(await shown(site, webhook_id)).toBeNull();
  const received = await next();
  expect(signers(received, { old, fresh })).toEqual({
    body: 'fresh',
    next: undefined,
    standard: ['fresh'],
  });
  expect(await verifies(received, old)).toBe(false);
});

test('the overlap is a day unless another one is asked for', async () => {
  const { rotate } = await subscribed();
  const before = Date.now();
  const until = Date.parse((await rotate()).previous_secret_until as string);
  expect(until - before).toBeGreaterThanOrEqual(24 * HOUR);
  expect(until - Date.now()).toBeLessThanOrEqual(24 * HOUR);
});

test('a secret that has leaked signs nothing from the rotation on', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  const { secret: fresh, previous_secret_until } = await rotate(0);
  expect([previous_secret_until, await shown(site, webhook_id)]).toEqual([null, null]);
  expect(signers(await next(), { old, fresh })).toEqual({
    body: 'fresh',
    next: undefined,
    standard: ['fresh'],
  });
});

test('a rotation during an overlap is a conflict that says until when', async () => {
  const { secret: old, rotate, next } = await subscribed();
  const { secret: fresh, previous_secret_until } = await rotate();
  for (const overlap of [undefined, 1]) {
    const error = await refusal(rotate(overlap));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
    expect(error.message).toContain(`until ${previous_secret_until} the old one signs`);
    expect(error.message).toMatch(/: change it after that, or .* end both at once \(overlap_hours 0\)\.$/);
  }
  expect(signers(await next(), { old, fresh })).toMatchObject({ body: 'old', next: 'fresh' });
});

test('a rotation without overlap ends a running one, and both of its secrets', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  const { secret: second } = await rotate();
  const { secret: third } = await rotate(0);
  expect(await shown(site, webhook_id)).toBeNull();
  expect(signers(await next(), { old, second, third })).toEqual({
    body: 'third',
    next: undefined,
    standard: ['third'],
  });
});

test('one rotation follows the other, each with the secret of the one before', async () => {
  const { webhook_id, secret: first, rotate, next } = await subscribed();
  const { secret: second } = await rotate();
  await endOverlap(webhook_id);
  const { secret: third } = await rotate();
  expect(signers(await next(), { first, second, third })).toEqual({
    body: 'second',
    next: 'third',
    standard: ['second', 'third'],
  });
  await endOverlap(webhook_id);
  const { secret: fourth } = await rotate(0);
  expect(signers(await next(), { first, second, third, fourth })).toMatchObject({ body: 'fourth' });
});

test('of rotations at once exactly one begins', async () => {
  const { secret: old, rotate, next } = await subscribed();
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => rotate()));
  const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []));
  expect(made).toHaveLength(1);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason.status).toBe(409);
  expect(signers(await next(), { old, fresh: made[0] as string })).toMatchObject({ next: 'fresh' });
});

test('a rotation whose answer was lost is asked for once more, and answers with the same secret', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  const { client, token } = site;
  const ask = (idempotencyKey: string, overlap_hours = 24) =>
    client.rotateWebhookSecret({ token, webhook_id, body: { overlap_hours } }, { idempotencyKey });
  const key = randomUUID();
  const [first, again] = [await ask(key), await ask(key)];
  expect(again).toEqual(first);
  expect(signers(await next(), { old, fresh: first.secret })).toMatchObject({ body: 'old', next: 'fresh' });
  // Another key, or another body under this one, is another rotation.
  for (const other of [ask(randomUUID()), ask(key, 48), rotate()])
    expect((await refusal(other)).status).toBe(409);
  const leaked = randomUUID();
  const [ended, repeated] = [await ask(leaked, 0), await ask(leaked, 0)];
  expect(repeated).toEqual(ended);
  expect(signers(await next(), { old, first: first.secret, ended: ended.secret })).toMatchObject({
    body: 'ended',
  });
});

test('the client repeats a rotation whose answer was cut off by itself', async () => {
  const { site, webhook_id, secret: old, next } = await subscribed();
  let calls = 0;
  const answers: string[] = [];
  const lossy: typeof fetch = async (request, init) => {
    const response = await fetch(request, init);
    if (!String((request as Request).url).endsWith('/rotate-secret')) return response;
    answers.push((await response.clone().json()).data.secret);
    calls += 1;
    if (calls === 1) throw new TypeError('the connection was lost');
    return response;
  };
  const { token } = await server.service.context.tokens.issue(site.userId);
  const avow = createAvow({ baseUrl: server.url, token, fetch: lossy, retries: 2 });
  const { secret } = await avow.rotateWebhookSecret({ token: site.token, webhook_id });
  expect(answers).toEqual([secret, secret]);
  expect(signers(await next(), { old, fresh: secret })).toMatchObject({ next: 'fresh' });
});

test.each([-1, 169, 0.5, '24', null])('an overlap of %j hours is refused', async (overlap) => {
  const { rotate } = await subscribed();
  const error = await refusal(rotate(overlap as number));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.overlap_hours']]);
});

test('a change of the webhook during an overlap keeps both secrets', async () => {
  const { site, webhook_id, secret: old, rotate, next } = await subscribed();
  const { secret: fresh } = await rotate();
  await site.client.updateWebhook({ token: site.token, webhook_id, body: { description: 'Changed' } });
  expect(signers(await next(), { old, fresh })).toMatchObject({ body: 'old', next: 'fresh' });
});

test('tests and redeliveries are signed like any other delivery', async () => {
  const { site, receiver, webhook_id, secret: old, rotate, next } = await subscribed();
  const { client, token } = site;
  const delivered = await next();
  const { secret: fresh } = await rotate();
  const delivery_id = String(delivered.headers['x-service-delivery']);
  await client.redeliver({ token, webhook_id, delivery_id });
  await client.testWebhook({ token, webhook_id });
  for (const received of (await receiver.until(3)).slice(1))
    expect(signers(received, { old, fresh })).toEqual({
      body: 'old',
      next: 'fresh',
      standard: ['old', 'fresh'],
    });
});

/** Every column of every table as text, binary ones in every form in which a secret might lie in them. */
async function everything(): Promise<string> {
  const { db } = server.service.context;
  const texts: string[] = [];
  for (const table of (await tablesOf(db)).keys()) {
    for (const row of await db(table).select('*')) {
      for (const value of Object.values(row))
        texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value));
    }
  }
  return texts.join('\n');
}

test('no secret lies readable in any column, and none is ever logged', async () => {
  const { site, receiver, webhook_id, secret, rotate } = await subscribed();
  const { client, token } = site;
  const keyed = await client.createWebhook(
    { token, body: { url: receiver.url, events: ['breach.created'] } },
    { idempotencyKey: randomUUID() },
  );
  const secrets = [secret, keyed.secret, (await rotate()).secret, (await rotate(0)).secret];
  await client.createBreach({ token, body: breachInput() });
  await client.testWebhook({ token, webhook_id });
  receiver.answer = (_request, response) => response.writeHead(500).end('no');
  await client.testWebhook({ token, webhook_id });
  await client.updateWebhook({ token, webhook_id, body: { url: receiver.url } });
  await receiver.until(4);
  const stored = await everything();
  const log = logged.join('');
  for (const place of [stored, log]) {
    expect(place).not.toContain('whsec_');
    for (const one of secrets) {
      const [, bytes = ''] = one.split('whsec_');
      expect(place).not.toContain(bytes);
      expect(place).not.toContain(Buffer.from(bytes, 'base64').toString('latin1'));
      expect(place).not.toContain(Buffer.from(bytes, 'base64').toString('hex'));
    }
  }
  expect(stored).toContain('Lost laptop');
});

test('neither addresses nor texts nor receivers’ answers are logged', async () => {
  const { site, receiver, webhook_id } = await subscribed();
  const { client, token } = site;
  receiver.answer = (_request, response) => response.writeHead(500).end('answer-of-the-receiver');
  const { request_id } = await submit(server, token, {
    email: 'very.private@example.com',
    message: 'text-of-the-request',
  });
  await receiver.until(1);
  await client.resolveDsar({ token, request_id, body: { resolution: 'refused', note: 'text-of-the-note' } });
  await client.createBreach({ token, body: breachInput({ title: 'title-of-the-breach' }) });
  await client.testWebhook({ token, webhook_id });
  const log = logged.join('');
  expect(log).toContain(webhook_id);
  expect(log).not.toMatch(/very\.private|text-of-the|title-of-the|answer-of-the|127\.0\.0\.1/);
});
