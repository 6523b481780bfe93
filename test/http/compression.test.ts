import { randomUUID } from 'node:crypto';
import { loadContract } from '../../server/src/contract/operations';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

let token: string;
let path: string;
let Authorization: string;
beforeAll(async () => {
  const owner = await server.site();
  ({ token } = owner);
  path = `/api/cookies/${token}`;
  Authorization = `Bearer ${(await server.service.context.tokens.issue(owner.userId)).token}`;
  const decide = () =>
    server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  await Promise.all(Array.from({ length: 60 }, decide));
});

/** What is sent, with the encodings that the client takes; the text is decoded. */
async function read(address: string, accepted: string, method = 'GET') {
  const headers = { Authorization, 'Accept-Encoding': accepted };
  const answer = await fetch(server.url + address, { method, headers });
  const bytes = answer.headers.get('content-length');
  return { answer, text: await answer.text(), length: bytes === null ? undefined : Number(bytes) };
}

const LARGE = [
  ...['/consents?limit=50', '/analytics', '/consents/export', '/consents/export?format=csv'],
  ...['/ropa-export', '/ropa-export?format=csv', '/ropa-export?format=html'],
];

test.each(LARGE)('%s is compressed for whoever takes it, and says the same', async (rest) => {
  const without = (text: string): string => text.replace(/"generated_at":"[^"]*"|As of [^ ]*/, '');
  const plain = await read(path + rest, 'identity');
  expect(plain.answer.headers.get('content-encoding')).toBeNull();
  for (const [accepted, encoding] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
  ] as const) {
    const { answer, text, length } = await read(path + rest, accepted);
    expect([accepted, answer.status, answer.headers.get('content-encoding')]).toEqual([
      accepted,
      200,
      encoding,
    ]);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(without(text)).toBe(without(plain.text));
    if (length !== undefined) expect(length).toBeLessThan((plain.length ?? 0) / 2);
  }
  expect(plain.answer.headers.get('vary')).toContain('Accept-Encoding');
  const head = await read(path + rest, 'br', 'HEAD');
  expect([head.answer.status, head.text]).toEqual([200, '']);
});

test('what is small, packed already, or refused stays as it is', async () => {
  for (const rest of ['', '/ropa-export?format=xlsx', '/consents?limit=0', '/nothing']) {
    const { answer } = await read(path + rest, 'br, gzip');
    expect([rest, answer.headers.get('content-encoding')]).toEqual([rest, null]);
  }
});

/** No answer of a visitor waits for a compressor; files of visitors are in memory, packed. */
test('nothing of a visitor is compressed while it is answered', async () => {
  const { operations } = loadContract();
  const categories = Array.from({ length: 30 }, (_, n) => ({
    ...{ key: `c${n}`, name: 'Name', description: 'd'.repeat(500), required: n === 0 },
  }));
  expect(operations.filter(({ visitor, bearer }) => visitor && bearer)).toEqual([]);
  const site = await server.site({ categories });
  const address = `/api/preferences/${site.token}?session_id=${randomUUID()}`;
  const { headers, text } = await raw(server.url, { path: address, headers: { 'Accept-Encoding': 'br' } });
  expect(text.length).toBeGreaterThan(10_000);
  expect(headers['content-encoding']).toBeUndefined();
});

test('an answer that holds a secret is never compressed', async () => {
  const { operations } = loadContract();
  // Secrets are told once, where something is made; what is read is compressed, and by GET alone.
  const body = JSON.stringify({ name: 'Other', domain: 'other.example.com' });
  const made = await fetch(`${server.url}/api/environments`, {
    method: 'POST',
    headers: { Authorization, 'Accept-Encoding': 'br', 'Content-Type': 'application/json' },
    body,
  });
  expect(made.headers.get('content-encoding')).toBeNull();
  const declared = operations.filter(({ method, bearer }) => method === 'GET' && bearer);
  for (const { id, declared: operation } of declared)
    expect([id, JSON.stringify(operation.responses['200']).includes('"secret"')]).toEqual([id, false]);
});
