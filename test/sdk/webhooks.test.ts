import {
  AvowError,
  signTestEvent,
  verifyWebhook,
  WebhookVerificationError,
  webhookId,
} from '../../sdk/src/index';
import {
  body,
  bodySignature,
  changed,
  event,
  headers,
  id,
  otherSecret,
  secret,
  sentAt,
  signedHeaders,
  standardSignature,
  verify,
} from './signed';

describe('a request of the service', () => {
  test.each([
    ['a string', body],
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer inside of a larger one', Buffer.from(`??${body}??`).subarray(2, -2)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('is verified from %s', async (_, given) => {
    await expect(verify({ body: given })).resolves.toEqual(event);
  });

  test.each([
    ['lower case', headers],
    ['upper case', Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v]))],
    ['arrays', Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]]))],
    ['Headers', new Headers(headers)],
    ['others beside', { ...headers, ':path': '/', get: 'x', 'set-cookie': ['a', 'b'], host: undefined }],
  ])('is verified from headers: %s', async (_, given) => {
    await expect(verify({ headers: given })).resolves.toEqual(event);
    expect(webhookId(given)).toBe(id);
  });

  test('is verified as it was when the call began', async () => {
    const bytes = Buffer.from(body);
    const verified = verify({ body: bytes });
    bytes.fill(0);
    await expect(verified).resolves.toEqual(event);
  });

  test('of an event that this version does not know is for the receiver to pass over', async () => {
    const later = JSON.stringify({ event: 'vendor.changed' });
    await expect(verify({ body: later, headers: signedHeaders(later) })).resolves.toEqual({
      event: 'vendor.changed',
    });
  });
});

describe('is refused', () => {
  const tests: [string, Parameters<typeof verify>[0]][] = [
    ['another body', { body: body.replace('erasure', 'access') }],
    ['a body that was parsed and written again', { body: JSON.stringify(JSON.parse(body), null, 1) }],
    ['a parsed body', { body: event }],
    ['no body', { body: undefined }],
    ['another secret', { secret: otherSecret }],
    ['several other secrets', { secret: [otherSecret, `${secret}=`] }],
    ['no secret at all', { secret: [] }],
    [
      'hex in upper case',
      { headers: changed({ 'x-service-signature': upper(headers['x-service-signature']) }) },
    ],
    ['no prefix', { headers: changed({ 'x-service-signature': headers['x-service-signature'].slice(7) }) }],
    [
      'two prefixes',
      { headers: changed({ 'x-service-signature': `sha256=${headers['x-service-signature']}` }) },
    ],
    [
      'another algorithm',
      { headers: changed({ 'x-service-signature': headers['x-service-signature'].replace('256', '1') }) },
    ],
    [
      'half a signature',
      { headers: changed({ 'x-service-signature': headers['x-service-signature'].slice(0, 39) }) },
    ],
    ['more after it', { headers: changed({ 'x-service-signature': `${headers['x-service-signature']}\n` }) }],
    [
      'a repeated signature',
      { headers: changed({ 'x-service-signature': Array(2).fill(headers['x-service-signature']) }) },
    ],
    ['one in each case', { headers: changed({ 'X-Service-Signature': bodySignature('x') }) }],
    [
      'only the next signature right, of another secret',
      {
        headers: changed({
          'x-service-signature': bodySignature('x'),
          'x-service-signature-next': bodySignature(body, otherSecret),
        }),
      },
    ],
    ['another id', { headers: changed({ 'webhook-id': `${id}0` }) }],
    ['a repeated id', { headers: changed({ 'webhook-id': [id, id] }) }],
    ['another timestamp', { headers: changed({ 'webhook-timestamp': String(sentAt + 1) }) }],
    [
      'another standard signature',
      { headers: changed({ 'webhook-signature': standardSignature(body, otherSecret) }) },
    ],
    [
      'another version of it',
      { headers: changed({ 'webhook-signature': headers['webhook-signature'].replace('v1', 'v1a') }) },
    ],
    [
      'the body’s signature in its place',
      { headers: changed({ 'webhook-signature': headers['x-service-signature'] }) },
    ],
  ];
  test.each(tests)('%s', async (_, given) => {
    await expect(verify(given)).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      code: 'bad_signature',
      message: expect.stringMatching(/raw body and.*secret/),
    });
  });

  test.each(['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'a missing %s',
    async (name) => {
      for (const value of [undefined, '', []]) {
        const error = await verify({ headers: changed({ [name]: value }) }).catch((reason) => reason);
        expect(error).toBeInstanceOf(WebhookVerificationError);
        expect(error).toMatchObject({ code: 'missing_signature', message: `no header ${name}` });
      }
    },
  );

  test('what is signed by Standard Webhooks alone', async () => {
    const { 'x-service-signature': _, ...standard } = headers;
    await expect(verify({ headers: standard })).rejects.toMatchObject({ code: 'missing_signature' });
  });

  test.each([['[]'], ['null'], ['{"event":5}'], ['not JSON'], ['']])(
    'what is signed and no event: %s',
    async (text) => {
      await expect(verify({ body: text, headers: signedHeaders(text) })).rejects.toMatchObject({
        code: 'bad_payload',
      });
    },
  );
});

describe('X-Service-Signature alone', () => {
  const alone = { 'x-service-signature': headers['x-service-signature'] };

  test('is refused: a request of a year ago, recorded and sent again without its time', async () => {
    const year = { now: new Date((sentAt + 31_536_000) * 1000) };
    for (const given of [alone, new Headers(alone)]) {
      await expect(verify({ headers: given, options: year })).rejects.toMatchObject({
        code: 'missing_signature',
        message: 'no header webhook-id',
      });
      expect(() => webhookId(given)).toThrow('no header webhook-id');
    }
  });

  test('is refused at any age, and whatever tolerance there is', async () => {
    for (const options of [{}, { toleranceSeconds: Number.POSITIVE_INFINITY }]) {
      await expect(verify({ headers: alone, options })).rejects.toMatchObject({ code: 'missing_signature' });
    }
  });
});

describe('a secret that cannot be right is a mistake of the receiver, not of the request', () => {
  test.each([
    [''],
    ['whsec_'],
    ['whsec_AA'],
    [otherSecret.slice(0, 20)],
    [undefined],
    [null],
    [[otherSecret, '']],
  ])('%j', async (given) => {
    // What an attacker would send, who guesses it.
    const key = typeof given === 'string' ? given : String(given);
    const forged = { 'x-service-signature': bodySignature(body, key) };
    const error = await verify({ secret: given, headers: forged }).catch((reason) => reason);
    expect(error).toBeInstanceOf(AvowError);
    expect(error).not.toBeInstanceOf(WebhookVerificationError);
    expect(error.message).toContain('secret of this webhook');
  });

  test('not in Base64, where Standard Webhooks asks for it', async () => {
    const given = 'whsec_not~base64';
    const own = changed({ 'x-service-signature': bodySignature(body, given) });
    await expect(verify({ secret: given, headers: own })).rejects.toMatchObject({ name: 'AvowError' });
    await expect(signTestEvent(event, given)).rejects.toMatchObject({ name: 'AvowError' });
    await expect(signTestEvent(event, '')).rejects.toMatchObject({ name: 'AvowError' });
  });
});

describe('time', () => {
  const at = (seconds: number) => new Date((sentAt + seconds) * 1000);

  test.each([-300, 0, 300])('%d seconds from now are accepted', async (seconds) => {
    await expect(verify({ options: { now: at(seconds) } })).resolves.toEqual(event);
  });

  test.each([-301, 301])('%d seconds from now are too many', async (seconds) => {
    await expect(verify({ options: { now: at(seconds) } })).rejects.toMatchObject({
      code: 'expired',
      message: expect.stringContaining('over 300 s'),
    });
  });

  test('the tolerance can be set and turned off', async () => {
    const year = at(31_536_000);
    await expect(verify({ options: { now: at(11), toleranceSeconds: 10 } })).rejects.toThrow('over 10 s');
    await expect(verify({ options: { now: year, toleranceSeconds: Infinity } })).resolves.toEqual(event);
    await expect(verify({ options: { toleranceSeconds: Number.NaN } })).rejects.toThrow('over NaN s');
    await expect(verify({ options: { toleranceSeconds: undefined } })).resolves.toEqual(event);
  });

  test('a signed timestamp that is no number is refused', async () => {
    const odd = changed({
      'webhook-timestamp': 'now',
      'webhook-signature': standardSignature(body, secret, 'now'),
    });
    await expect(verify({ headers: odd })).rejects.toMatchObject({ code: 'expired' });
  });

  test('it is the present time that counts', async () => {
    await expect(verifyWebhook(body, headers, secret)).rejects.toMatchObject({ code: 'expired' });
    const fresh = await signTestEvent(event, secret);
    await expect(verifyWebhook(fresh.body, fresh.headers, secret)).resolves.toEqual(event);
  });
});

describe('during a rotation', () => {
  const rotating = changed({
    'x-service-signature-next': bodySignature(body, otherSecret),
    'webhook-signature': `${headers['webhook-signature']} ${standardSignature(body, otherSecret)}`,
  });

  test.each([
    ['the old secret', secret],
    ['the new secret', otherSecret],
    ['both', [otherSecret, secret]],
  ])('a receiver may have %s', async (_, given) => {
    await expect(verify({ headers: rotating, secret: given })).resolves.toEqual(event);
    await expect(verify({ headers: rotating, secret: given, body: `${body} ` })).rejects.toMatchObject({
      code: 'bad_signature',
    });
  });

  test('a long list of signatures costs no more than a short one', async () => {
    const signing = jest.spyOn(crypto.subtle, 'sign');
    const long = changed({ 'webhook-signature': `a${' '.repeat(15_400)}a` });
    await expect(verify({ headers: long })).rejects.toMatchObject({ code: 'bad_signature' });
    expect(signing.mock.calls.length).toBeLessThan(30);
    signing.mockRestore();
  });

  test('signatures of later versions are passed over', async () => {
    const later = changed({ 'webhook-signature': `v2,abc ${headers['webhook-signature']} v1a,xyz` });
    await expect(verify({ headers: later })).resolves.toEqual(event);
  });
});

describe('secrets by site', () => {
  const other = 'env_ofAnotherSite456789ABC';
  const site = event.environment;
  const given = { [site]: secret, [other]: otherSecret };

  test('accept what each site has signed, also while a secret is being rotated', async () => {
    await expect(verify({ secret: given })).resolves.toEqual(event);
    await expect(verify({ secret: { ...given, [site]: [otherSecret, secret] } })).resolves.toEqual(event);
    const theirs = JSON.stringify({ ...event, environment: other });
    await expect(
      verify({ secret: given, body: theirs, headers: signedHeaders(theirs, otherSecret) }),
    ).resolves.toMatchObject({ environment: other });
  });

  test('refuse what one site has signed in the name of another', async () => {
    const forged = { headers: signedHeaders(body, otherSecret) };
    await expect(verify({ secret: given, ...forged })).rejects.toMatchObject({ code: 'bad_signature' });
    // An array cannot tell them apart: it is for the secrets of one site.
    await expect(verify({ secret: [secret, otherSecret], ...forged })).resolves.toEqual(event);
  });

  test.each(['env_unknown', '__proto__', 'constructor', 'length', '0', 5, null, [site]])(
    'refuse an event of the site %j',
    async (environment) => {
      const text = JSON.stringify({ ...event, environment });
      for (const signedBy of [secret, otherSecret])
        await expect(
          verify({ secret: given, body: text, headers: signedHeaders(text, signedBy) }),
        ).rejects.toMatchObject({ code: 'bad_signature' });
    },
  );

  test.each(['not JSON', 'null', '[]', ''])('refuse what has no site: %s', async (text) => {
    await expect(verify({ secret: given, body: text, headers: signedHeaders(text) })).rejects.toMatchObject({
      code: 'bad_signature',
    });
  });
});

function upper(signature: string): string {
  return `sha256=${signature.slice(7).toUpperCase()}`;
}
