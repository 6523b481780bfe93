import { isEmail } from '../../server/src/domain/addresses';
import { secretMark, withoutSecrets, withSecrets } from '../../server/src/mail/content';
import { useServer } from '../helpers/server';

// Limits and refusals are asked of an address as it stands: nothing may make it another one before the mail is sent.
const server = useServer();

const [user, host] = ['victim', 'example.com'];
const ADDRESSES = [
  `${user}\ue010@${host}`,
  `vic\ue000tim@${host}`,
  `${user}@\uf8ff${host}`,
  `${user}\u{f0000}@${host}`,
  `${user}\u{10fffd}@${host}`,
];

test('secrets stand in the words of a mail and never in an address', () => {
  const content = {
    ...{ to: `${user}${secretMark(1)}@${host}`, replyTo: `x${secretMark(0)}@${host}` },
    ...{ fromName: secretMark(0), subject: secretMark(0), text: `T ${secretMark(0)}`, html: secretMark(0) },
    ...{ unsubscribe: `https://${host}/${secretMark(0)}`, secrets: ['secret'] },
  };
  const { to, replyTo, fromName } = content;
  const addresses = { to, replyTo, fromName };
  expect(withSecrets(content)).toEqual({
    ...addresses,
    ...{ subject: 'secret', text: 'T secret', html: 'secret', unsubscribe: `https://${host}/secret` },
  });
  expect(withoutSecrets(content)).toEqual({
    ...addresses,
    ...{ subject: '…', text: 'T …', html: '…', unsubscribe: `https://${host}/…` },
  });
});

test.each(ADDRESSES)('an address with a character of private use is none: %j', async (email) => {
  expect(isEmail(email)).toBe(false);
  const { token } = await server.site();
  // By hand: the SDK's check would refuse it too.
  const answer = await fetch(`${server.url}/api/dsar/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request_type: 'access', email }),
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('must be an e-mail address'),
  ]);
  expect(await server.service.context.db('dsar_requests').where({ email })).toEqual([]);
});
