import { randomUUID } from 'node:crypto';
import { isEmail } from '../../server/src/domain/addresses';
import { post } from '../helpers/http/raw';
import { type Client, useServer } from '../helpers/server';
import { someRequest } from '../helpers/site/attachments';

interface Place {
  token: string;
  request_id: string;
}

const server = useServer();
let token: string;
beforeAll(async () => {
  ({ token } = await server.site());
});

const submit = async (email: string): Promise<number> =>
  (await post(server.url, `/api/dsar/${token}`, { request_type: 'access', email })).status;

test.each([
  ['a right-to-left override', 'a\u202eb@example.com'],
  ['an isolate in the domain', 'a@exam\u2066ple.com'],
  ['a zero-width space', 'a\u200bb@example.com'],
  ['a soft hyphen at the end', 'a@example.com\u00ad'],
  ['a control character of Latin-1', 'a\u0085b@example.com'],
  ['a Hangul filler', 'a\u3164@example.com'],
  ['a variation selector', 'a\ufe0f@example.com'],
  ['a tag', 'a\u{e0041}@example.com'],
  ['a variation selector of another plane', 'a@exam\u{e0100}ple.com'],
])('an e-mail address with %s is refused', async (_, email) => {
  expect([await submit(email), isEmail(email)]).toEqual([400, false]);
});

test.each(['élodie@example.com', '用户@例え.jp', "o'neill+x@a.co", 'visitor@münchen.example'])(
  'an address in any script is taken: %s',
  async (email) => {
    expect([await submit(email), isEmail(email)]).toEqual([201, true]);
  },
);

const decide = async (page_url: string): Promise<number> => {
  const body = { session_id: randomUUID(), decision: 'accept_all', page_url };
  return (await post(server.url, `/api/consents/${token}/log`, body)).status;
};

test.each([
  'https://[',
  'http:////',
  'https://?',
  'https://a:b@/x',
  'https://a:x/',
  'https://a%zz/',
  'https://:80/',
])('a page whose address has no host is refused: %s', async (url) => {
  expect(await decide(url)).toBe(400);
});

test.each([
  ['a control character', 'https://shop.example.com/\u001b[31m'],
  ['a right-to-left override', 'https://shop.example.com/\u202egpj.exe'],
])('a page whose address holds %s is refused', async (_, url) => {
  expect(await decide(url)).toBe(400);
});

test.each([
  'https://shop.example.com',
  'http://localhost:8080/a?b=c#d',
  'https://[2001:db8::1]:8443/',
  'https://user:pass@shop.example.com/x',
  'https://münchen.example/straße?q=ä@b',
  'https://shop.example.com?x',
])('a page is taken: %s', async (url) => {
  expect(await decide(url)).toBe(201);
});

describe('names of sites', () => {
  const made = async (name: string) => {
    const { client } = await server.person();
    return client.createEnvironment({ body: { name, domain: 'shop.example.com' } });
  };

  test.each([
    ['line breaks', 'Demo\r\nBcc: x@y.z'],
    ['a line break at the end', 'Demo\n'],
    ['a tab', 'Demo\tshop'],
    ['a control character of Latin-1', 'Demo\u0085shop'],
    ['a separator of lines', 'Demo\u2028shop'],
    ['nothing to be seen', ' \u200b\u00ad '],
    ['a line break before what is seen', ' \nDemo'],
  ])('a name with %s is refused', async (_, name) => {
    await expect(made(name)).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('no line break or other control character') },
    });
    const { client, token: own } = await server.site();
    await expect(client.updateEnvironment({ token: own, body: { name } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test.each(['Example shop', ' Müller & Söhne', '例え店', 'חנות \u200fלדוגמה', 'x', 'Shop 🛒', '\u00a0a '])(
    'a name is taken: %s',
    async (name) => {
      expect((await made(name)).name).toBe(name);
    },
  );

  test('a site whose name was given before loads, can be renamed, and deleted by that name', async () => {
    const { client, token: own } = await server.site();
    const name = 'Demo\r\nBcc: x@y.z';
    await server.service.context.db('environments').where({ token: own }).update({ name });
    expect((await client.getEnvironment({ token: own })).name).toBe(name);
    const { items } = await client.listEnvironments();
    expect(items.map((item) => item.name)).toEqual([name]);
    await client.updateEnvironment({ token: own, body: { status: 'archived' } });
    await client.deleteEnvironment({ token: own, name });
  });
});

describe('what members write', () => {
  const wrong = [
    'escape \u001b[31m',
    'a\u0001',
    'form feed \f',
    'vertical \v tab',
    '\t\n ',
    '\u200b\u3164',
    '',
  ];
  const right = ['a', 'one\n\ttwo\r\n', ' \u200bé', '\u00a0x', '日本語 \u200d', 'a\u007f', '𝄞'];

  test('is visible and has no control characters but tabs and line breaks', async () => {
    const { client, token: own } = await server.site();
    const request_id = await someRequest(server.visitor, own);
    const at = { token: own, request_id };
    for (const text of wrong) {
      const said = client.addDsarComment({ ...at, body: { text } });
      await expect(said.catch(({ status, errors }) => [text, status, errors[0].path])).resolves.toEqual([
        text,
        400,
        'body.text',
      ]);
    }
    for (const text of right)
      expect(await client.addDsarComment({ ...at, body: { text } })).toMatchObject({ text });
  });

  test.each([
    ['a note', (client: Client, at: Place, note: string) => client.startDsar({ ...at, body: { note } })],
    [
      'a reason',
      (client: Client, at: Place, reason: string) => client.extendDsar({ ...at, body: { reason } }),
    ],
    [
      'an answer',
      (client: Client, at: Place, answer: string) =>
        client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer } }),
    ],
    [
      'the nature of a breach',
      (client: Client, { token: own }: Place, nature: string) =>
        client.createBreach({
          ...{ token: own, body: { title: 'A breach', aware_at: new Date().toISOString(), nature } },
        }),
    ],
  ])('so is %s', async (_, write) => {
    const { client, token: own } = await server.site();
    const at = { token: own, request_id: await someRequest(server.visitor, own) };
    await expect(write(client, at, 'a\u0001')).rejects.toMatchObject({ status: 400 });
    await write(client, at, 'one\n\ttwo');
  });
});
