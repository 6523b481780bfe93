import { Webhook } from 'standardwebhooks';
import { signTestEvent, verifyWebhook } from '../../sdk/src/index';
import { bodySignature, events, id, otherSecret, secret } from './signed';

// The library of Standard Webhooks, which keeps to the present time.
test.each(Object.values(events))('it verifies $event as signTestEvent signs it', async (event) => {
  const { body, headers } = await signTestEvent(event, secret, { nextSecret: otherSecret });
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(new Webhook(otherSecret).verify(body, headers)).toEqual(event);
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
});

test.each(Object.values(events))('verifyWebhook takes $event as it signs it', async (event) => {
  const body = JSON.stringify(event);
  const now = new Date();
  const headers = {
    'X-Service-Signature': bodySignature(body),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  await expect(verifyWebhook(body, headers, secret)).resolves.toEqual(event);
  await expect(verifyWebhook(body, headers, otherSecret)).rejects.toMatchObject({ code: 'bad_signature' });
});
