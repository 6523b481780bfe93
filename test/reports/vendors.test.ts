import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';

let client: Client;
let token: string;
const server = useServer({ variables: { ROLE: 'api' } });
beforeEach(async () => {
  ({ client, token } = await server.site());
});

const VENDOR = {
  id: 755,
  name: 'Counter',
  purposes: [1, 8],
  leg_int_purposes: [9],
  categories: ['analytics'],
  urls: [{ lang_id: 'en', privacy: 'https://counter.example/privacy', leg_int_claim: null }],
  cookies: [
    {
      name: '_c',
      domain: 'shop.example.com',
      category: 'analytics',
      max_age_seconds: 60,
      description: 'Counts.',
    },
  ],
  data_retention_days: 90,
  country: 'US',
  transfer_safeguard: 'EU standard contractual clauses',
};
const put = (...vendors: object[]) => client.replaceVendors({ token, body: { vendors: vendors as never } });
const read = (headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/public/vendors/${token}`, { headers });

test('before the first list there is an empty one with the version 0', async () => {
  expect(await server.visitor.getVendors({ token })).toMatchObject({
    vendor_list_version: 0,
    purposes: [],
    vendors: [],
  });
});

test('the list is public as it was put, with the purposes that it names, and its version rises', async () => {
  const first = await put(VENDOR);
  expect(first).toMatchObject({ vendor_list_version: 1, vendors: [VENDOR] });
  expect(first.purposes.map(({ id }) => id)).toEqual([1, 8, 9]);
  expect(await server.visitor.getVendors({ token })).toEqual(first);
  const second = await put(
    { ...VENDOR, purposes: [], leg_int_purposes: [] },
    { ...VENDOR, id: 2, name: 'Ads' },
  );
  expect(second).toMatchObject({ vendor_list_version: 2, purposes: [{ id: 1 }, { id: 8 }, { id: 9 }] });
  expect(Date.parse(second.updated_at)).toBeGreaterThanOrEqual(Date.parse(first.updated_at));
  expect(await put()).toMatchObject({ vendor_list_version: 3, purposes: [], vendors: [] });
});

test('two owners who replace at once make two versions', async () => {
  const lists = await Promise.all([put(VENDOR), put({ ...VENDOR, id: 1 }), put({ ...VENDOR, id: 2 })]);
  expect(lists.map(({ vendor_list_version }) => vendor_list_version).sort()).toEqual([1, 2, 3]);
  const last = lists.find(({ vendor_list_version }) => vendor_list_version === 3);
  expect(await server.visitor.getVendors({ token })).toEqual(last);
});

test('a list that has not changed is a 304, for strong, weak and listed tags; a changed one is not', async () => {
  await put(VENDOR);
  const answer = await read();
  const etag = answer.headers.get('etag') as string;
  expect(etag).toMatch(/^"[\w-]{20,}"$/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await read({ 'If-None-Match': tag });
    expect([tag, again.status, again.headers.get('etag'), await again.text()]).toEqual([tag, 304, etag, '']);
  }
  expect((await read({ 'If-None-Match': '"other"' })).status).toBe(200);
  await put({ ...VENDOR, name: 'Counter 2' });
  const changed = await read({ 'If-None-Match': etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

test.each<[string, object[], string[]]>([
  ['an unknown purpose', [{ ...VENDOR, purposes: [12] }], ['body.vendors.0.purposes.0']],
  ['purpose 0', [{ ...VENDOR, leg_int_purposes: [0] }], ['body.vendors.0.leg_int_purposes.0']],
  ['an unknown category', [{ ...VENDOR, categories: ['analytics', 'x'] }], ['body.vendors.0.categories.1']],
  [
    'a cookie of an unknown category',
    [{ ...VENDOR, cookies: [{ name: 'c', category: 'x', max_age_seconds: 0 }] }],
    ['body.vendors.0.cookies.0.category'],
  ],
  ['an id that is used twice', [VENDOR, { ...VENDOR, name: 'Other' }], ['body.vendors.1.id']],
  ['a purpose that is listed twice', [{ ...VENDOR, purposes: [1, 1] }], ['body.vendors.0.purposes.1']],
  ['a purpose with two legal bases', [{ ...VENDOR, purposes: [9] }], ['body.vendors.0.purposes.0']],
  [
    'a bad address',
    [{ ...VENDOR, urls: [{ lang_id: 'en', privacy: 'javascript:x' }] }],
    ['body.vendors.0.urls.0.privacy'],
  ],
  ['a bad country', [{ ...VENDOR, country: 'us' }], ['body.vendors.0.country']],
  ['a missing name', [{ ...VENDOR, name: undefined }], ['body.vendors.0.name']],
  ['an unknown field', [{ ...VENDOR, colour: 'red' }], ['body.vendors.0.colour']],
  [
    'several at once',
    [VENDOR, { ...VENDOR, id: 2, categories: ['x'], purposes: [2, 2] }],
    ['body.vendors.1.categories.0', 'body.vendors.1.purposes.1'],
  ],
])('%s is refused with its place, and nothing is written', async (_, vendors, paths) => {
  const refused = await refusal(put(...vendors));
  expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(pathsOf(refused)).toEqual(paths);
  expect(await server.visitor.getVendors({ token })).toMatchObject({ vendor_list_version: 0 });
});

test('2,000 vendors are a list, 2,001 are not', async () => {
  const many = Array.from({ length: 2_001 }, (_, n) => ({ ...VENDOR, id: n + 1, name: `Vendor ${n + 1}` }));
  const list = await put(...many.slice(0, 2_000));
  expect(list.vendors).toHaveLength(2_000);
  expect((await server.visitor.getVendors({ token })).vendors).toEqual(many.slice(0, 2_000));
  expect(pathsOf(await refusal(put(...many)))).toEqual(['body.vendors']);
});

test('the list is for owners to replace and for anybody to read, but not of a site that does not exist', async () => {
  const { client: stranger } = await server.person();
  expect(await refusal(stranger.replaceVendors({ token, body: { vendors: [] } }))).toMatchObject({
    status: 404,
  });
  expect(await refusal(server.visitor.getVendors({ token: `env_${'0'.repeat(22)}` }))).toMatchObject({
    status: 404,
  });
});

test('an erasure of a visitor leaves the list alone', async () => {
  await put(VENDOR);
  const session_id = randomUUID();
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  await client.eraseSession({ token, session_id });
  expect(await server.visitor.getVendors({ token })).toMatchObject({ vendor_list_version: 1 });
});
