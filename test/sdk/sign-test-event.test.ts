import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isTestDelivery, signTestEvent, webhookId } from '../../sdk/src/index';
import { signatureHeaders } from '../../server/src/webhooks/signature';
import {
  body,
  bodySignature,
  event,
  events,
  id,
  now,
  otherSecret,
  secret,
  sentAt,
  standardSignature,
  verify,
} from './signed';

test.each(Object.values(events))('$event is signed and verified', async (one) => {
  const signed = await signTestEvent(one, secret, { id, timestamp: now });
  expect(signed.body).toBe(JSON.stringify(one));
  expect(signed.headers).toMatchObject({
    'X-Service-Signature': bodySignature(signed.body),
    'X-Service-Event': one.event,
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': standardSignature(signed.body),
  });
  await expect(verify(signed)).resolves.toEqual(one);
});

test.each([
  [undefined, false],
  [otherSecret, true],
])('signs as the service does, beside a next secret (%s), as a test (%s)', async (next, test) => {
  const signed = await signTestEvent(event, secret, { id, timestamp: now, nextSecret: next, test });
  const { 'Content-Type': type, ...headers } = signed.headers;
  expect(type).toBe('application/json');
  expect(headers).toEqual(
    signatureHeaders({
      eventId: id,
      event: event.event,
      deliveryId: headers['X-Service-Delivery'] ?? '',
      attempt: 1,
      test,
      timestampSeconds: sentAt,
      body: Buffer.from(signed.body),
      secrets: { current: secret, ...(next !== undefined && { next }) },
    }),
  );
});

test('sends the headers that the contract declares', async () => {
  const contract = parse(readFileSync(join(__dirname, '../../spec/generated/openapi.yaml'), 'utf8'));
  for (const one of Object.values(events)) {
    const declared: { name: string; required?: boolean }[] = contract.webhooks[one.event].post.parameters;
    const rotating = await signTestEvent(one, secret, { nextSecret: otherSecret, test: true });
    const plain = await signTestEvent(one, secret);
    const names = (signed: typeof plain) =>
      Object.keys(signed.headers)
        .filter((name) => name !== 'Content-Type')
        .sort();
    expect([isTestDelivery(rotating.headers), isTestDelivery(plain.headers)]).toEqual([true, false]);
    expect(isTestDelivery(new Headers(rotating.headers))).toBe(true);
    expect(names(rotating)).toEqual(declared.map((p) => p.name).sort());
    expect(names(plain)).toEqual(
      declared
        .filter((p) => p.required)
        .map((p) => p.name)
        .sort(),
    );
  }
});

test('every event has an id of its own, and a retry may keep it', async () => {
  const [first, second] = await Promise.all([signTestEvent(event, secret), signTestEvent(event, secret)]);
  expect(webhookId(first.headers)).not.toBe(webhookId(second.headers));
  const retry = await signTestEvent(event, secret, { id: webhookId(first.headers) });
  expect(webhookId(retry.headers)).toBe(webhookId(first.headers));
});

test('signs as during a rotation', async () => {
  const signed = await signTestEvent(event, secret, { id, timestamp: now, nextSecret: otherSecret });
  expect(signed.headers['X-Service-Signature-Next']).toBe(bodySignature(body, otherSecret));
  expect(signed.headers['webhook-signature']).toBe(
    `${standardSignature(body)} ${standardSignature(body, otherSecret)}`,
  );
  for (const one of [secret, otherSecret])
    await expect(verify({ ...signed, secret: one })).resolves.toEqual(event);
});
