import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RegionDatabase } from '../../server/src/services/regions/database';
import { mmdb } from '../helpers/regions/mmdb';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const folder = mkdtempSync(join(tmpdir(), 'avow-regions-'));
const file = join(folder, 'city.mmdb');
const ADDRESSES = mmdb([
  ['203.0.113.0/24', 'US', 'CA'],
  ['198.51.100.0/24', 'DE', 'BY'],
  ['2001:db8::/32', 'CA', 'QC'],
]);
writeFileSync(file, ADDRESSES);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ON = { regions: { rules: 'law' } } as const;
const servers: TestServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** A server as its operator set it up, and what it says to a request with these headers. */
async function asking(variables: Record<string, string>, settings: object = ON) {
  const server = await startServer({ variables });
  servers.push(server);
  const { token } = await server.site();
  const owner = await server.site(settings);
  const ask = async (headers: Record<string, string> = {}, query = '', of = owner.token) => {
    const answer = await fetch(`${server.url}/api/v/${of}/region${query}`, { headers });
    const { data } = (await answer.json()) as { data: object };
    return { status: answer.status, headers: answer.headers, data };
  };
  return { server, ask, off: token, token: owner.token };
}
const NEW_YORK = '?time_zone=America/New_York';

describe('behind a CDN that is trusted, with a file of addresses', () => {
  let ask: Awaited<ReturnType<typeof asking>>['ask'];
  let off: string;
  let server: TestServer;
  beforeAll(async () => {
    ({ ask, off, server } = await asking({
      TRUST_PROXY: 'loopback',
      REGION_HEADER: 'CF-IPCountry, CF-Region-Code',
      REGION_DATABASE: file,
    }));
  });

  test.each([
    [
      { 'CF-IPCountry': 'US', 'CF-Region-Code': 'CA' },
      { region: 'US-CA', rule: 'opt_out', source: 'header' },
    ],
    [
      { 'CF-IPCountry': 'US', 'CF-Region-Code': 'WY' },
      { region: 'US-WY', rule: 'notice', source: 'header' },
    ],
    // A state that is not known asks what the strictest of the country does.
    [{ 'CF-IPCountry': 'US' }, { region: 'US', rule: 'opt_out', source: 'header' }],
    [
      { 'CF-IPCountry': 'us', 'CF-Region-Code': 'US-TX' },
      { region: 'US-TX', rule: 'opt_out', source: 'header' },
    ],
    [
      { 'CF-IPCountry': 'CA', 'CF-Region-Code': 'QC' },
      { region: 'CA-QC', rule: 'opt_in', source: 'header' },
    ],
    // No law tells the parts of Germany apart, so nobody learns them.
    [
      { 'CF-IPCountry': 'DE', 'CF-Region-Code': 'BY' },
      { region: 'DE', rule: 'opt_in', source: 'header' },
    ],
    [{ 'CF-IPCountry': 'IN' }, { region: 'IN', rule: 'opt_in', source: 'header' }],
  ])('the header %j says %j', async (headers, expected) => {
    expect((await ask(headers, NEW_YORK)).data).toEqual(expected);
  });

  test('the header comes before the file, and the file before the time zone', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.7' };
    expect((await ask({ ...from, 'CF-IPCountry': 'JP' }, NEW_YORK)).data).toMatchObject({ region: 'JP' });
    expect((await ask(from, NEW_YORK)).data).toEqual({ region: 'DE', rule: 'opt_in', source: 'database' });
    expect((await ask({ 'X-Forwarded-For': '192.0.2.1' }, NEW_YORK)).data).toEqual({
      region: 'US',
      rule: 'opt_out',
      source: 'time_zone',
    });
  });

  test.each(['XX', 'T1', 'ZZ', 'nowhere', ''])('a header that says %p says nothing', async (value) => {
    const headers = { 'CF-IPCountry': value, 'X-Forwarded-For': '203.0.113.5' };
    expect((await ask(headers)).data).toEqual({ region: 'US-CA', rule: 'opt_out', source: 'database' });
  });

  test('addresses of version 6 are looked up too, and where nothing tells, visitors are asked', async () => {
    expect((await ask({ 'X-Forwarded-For': '2001:db8:1::9' })).data).toMatchObject({ region: 'CA-QC' });
    const unknown = { region: null, rule: 'opt_in', source: null };
    expect((await ask()).data).toEqual(unknown);
    for (const zone of ['UTC', 'Etc/GMT+5', 'Mars/Olympus'])
      expect((await ask({}, `?time_zone=${encodeURIComponent(zone)}`)).data).toEqual(unknown);
  });

  test('a site without regions asks everybody', async () => {
    const { data } = await ask({ 'CF-IPCountry': 'US', 'CF-Region-Code': 'CA' }, '', off);
    expect(data).toEqual({ region: 'US-CA', rule: 'opt_in', source: 'header' });
  });

  test('any page may read the answer, only its browser may keep it, and the query is bounded', async () => {
    const { headers } = await ask({ Origin: 'https://shop.example.com' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('private, max-age=600');
    for (const query of [
      `?time_zone=${'A'.repeat(65)}`,
      '?time_zone=-',
      '?zone=Asia/Tokyo',
      '?time_zone=a&time_zone=b',
    ])
      expect((await ask({}, query)).status).toBe(400);
    expect((await ask({}, '', `env_${'0'.repeat(22)}`)).status).toBe(404);
  });

  test('only pages of the site are answered where that is set, and a path of its own host', async () => {
    const { token } = await server.site({ ...ON, enforce_origin: true });
    expect((await ask({ Origin: 'https://other.example' }, '', token)).status).toBe(403);
    expect((await ask({ Origin: 'https://shop.example.com' }, '', token)).status).toBe(200);
    expect((await ask({}, '', token)).status).toBe(200);
    expect((await ask({ 'Sec-Fetch-Site': 'same-origin' }, '', token)).status).toBe(200);
    // As a picture of another page asks.
    expect((await ask({ 'Sec-Fetch-Site': 'cross-site' }, '', token)).status).toBe(403);
  });
});

test.each([{}, { TRUST_PROXY: '10.0.0.0/8' }])(
  'a header that no trusted proxy sent is anybody’s, and is ignored: %j',
  async (variables) => {
    const { ask } = await asking({ REGION_HEADER: 'CF-IPCountry', ...variables });
    const { data } = await ask({ 'CF-IPCountry': 'JP' }, '?time_zone=Europe/Berlin');
    expect(data).toEqual({ region: 'DE', rule: 'opt_in', source: 'time_zone' });
  },
);

test('time zones tell countries, under the names of earlier years too', async () => {
  const { ask } = await asking({});
  const region = async (zone: string) =>
    ((await ask({}, `?time_zone=${zone}`)).data as { region: string | null }).region;
  expect(
    await Promise.all(
      ['Europe/Kiev', 'Europe/Kyiv', 'Asia/Calcutta', 'America/Montreal', 'US/Pacific', 'Asia/Tokyo'].map(
        region,
      ),
    ),
  ).toEqual(['UA', 'UA', 'IN', 'CA', 'US', 'JP']);
});

test('the owner’s rule comes before the law, and a country’s holds for its states', async () => {
  const regions = {
    rules: 'law',
    overrides: [
      { region: 'US', rule: 'opt_in' },
      { region: 'US-NY', rule: 'opt_out' },
      { region: 'IN', rule: 'notice' },
    ],
  };
  const { ask } = await asking({ TRUST_PROXY: 'loopback', REGION_HEADER: 'country,state' }, { regions });
  const rule = async (country: string, state = '') =>
    ((await ask({ country, state })).data as { rule: string }).rule;
  expect(
    await Promise.all([
      rule('US', 'CA'),
      rule('US', 'WY'),
      rule('US'),
      rule('US', 'NY'),
      rule('IN'),
      rule('JP'),
    ]),
  ).toEqual(['opt_in', 'opt_in', 'opt_in', 'opt_out', 'notice', 'notice']);
});

describe('the file of addresses', () => {
  const other = join(folder, 'changing.mmdb');

  test('one that knows only IPv4 says nothing of IPv6', async () => {
    const old = join(folder, 'version-4.mmdb');
    // What 2000::/8 begins with, read as if it were IPv4.
    writeFileSync(old, mmdb([['32.0.0.0/8', 'US']], { version: 4 }));
    const database = new RegionDatabase(old);
    const found = ['32.1.2.3', '::ffff:32.1.2.3', '2003:e3::1', '2001:db8::1'].map((one) =>
      database.regionOf(one),
    );
    expect(await Promise.all(found)).toEqual(['US', 'US', undefined, undefined]);
  });

  test('a part of it that is damaged says nothing of its addresses, and is told', async () => {
    const told: Error[] = [];
    const whole = mmdb([
      ['192.0.2.0/24', 'FR'],
      ['198.51.100.0/24', 5 as never],
      ['203.0.113.0/24', 'BRAZIL'],
    ]);
    // A type that the format does not have.
    whole[whole.indexOf('BRAZIL') - 1] = 0;
    writeFileSync(other, whole);
    const database = new RegionDatabase(other, (error) => told.push(error));
    const regions = ['192.0.2.8', '198.51.100.8', '203.0.113.8'].map((one) => database.regionOf(one));
    expect(await Promise.all(regions)).toEqual(['FR', undefined, undefined]);
    expect(told).toHaveLength(1);
  });

  test('a new file is taken, a bad one is not, and is told once', async () => {
    const told: Error[] = [];
    writeFileSync(other, mmdb([['192.0.2.0/24', 'FR']]));
    utimesSync(other, 1, 1);
    const database = new RegionDatabase(other, (error) => told.push(error), 0);
    const region = () => database.regionOf('192.0.2.8');
    expect(await database.regionOf('192.0.2.8')).toBe('FR');
    expect(await database.regionOf('::ffff:192.0.2.8')).toBe('FR');
    // What a proxy may write, and a socket.
    for (const none of ['', 'unknown', 'fe80::1%eth0', '999.1.1.1', '_hidden'])
      expect([none, await database.regionOf(none)]).toEqual([none, undefined]);
    writeFileSync(other, mmdb([['192.0.2.0/24', 'BR']]));
    utimesSync(other, 2, 2);
    await until('the new file', async () => (await region()) === 'BR');
    writeFileSync(other, 'not such a file');
    utimesSync(other, 3, 3);
    await until('the bad file to be told', async () => (await region()) === 'BR' && told.length > 0);
    rmSync(other);
    for (let n = 0; n < 5; n += 1) expect(await region()).toBe('BR');
    expect(told).toHaveLength(1);
  });

  test('without a file the time zone tells', async () => {
    const { ask } = await asking({ REGION_DATABASE: join(folder, 'none.mmdb') });
    expect((await ask({}, '?time_zone=Europe/Paris')).data).toMatchObject({
      region: 'FR',
      source: 'time_zone',
    });
  });
});
