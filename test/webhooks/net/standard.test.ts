import { Webhook } from 'standardwebhooks';
import { newSecret, signatureHeaders } from '../../../server/src/webhooks/signature';

const body = Buffer.from('{"event":"breach.created","title":"Zürich ✓"}', 'utf8');

function signed(
  secrets: { current: string; next?: string },
  timestampSeconds = Math.floor(Date.now() / 1000),
) {
  return signatureHeaders({
    eventId: '0199f0a0-0000-7000-8000-000000000001',
    event: 'breach.created',
    deliveryId: '0199f0a0-0000-7000-8000-000000000002',
    attempt: 1,
    test: false,
    timestampSeconds,
    body,
    secrets,
  });
}

test('the library of Standard Webhooks accepts our signature, and either secret during a rotation', () => {
  const [current, next] = [newSecret(), newSecret()];
  expect(new Webhook(current).verify(body, signed({ current }))).toEqual(JSON.parse(body.toString()));
  const rotating = signed({ current, next });
  for (const secret of [current, next]) {
    expect(new Webhook(secret).verify(body, rotating)).toEqual(JSON.parse(body.toString()));
  }
});

test('the library refuses another secret, another body and an old timestamp', () => {
  const current = newSecret();
  expect(() => new Webhook(newSecret()).verify(body, signed({ current }))).toThrow();
  expect(() =>
    new Webhook(current).verify(Buffer.concat([body, Buffer.from(' ')]), signed({ current })),
  ).toThrow();
  const old = Math.floor(Date.now() / 1000) - 600;
  expect(() => new Webhook(current).verify(body, signed({ current }, old))).toThrow(/old/);
});
