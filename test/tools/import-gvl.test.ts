import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkImported } from '../../server/cli/import-gvl/check-vendors';
import { readList } from '../../server/cli/import-gvl/read-list';
import { toVendors } from '../../server/src/domain/gvl';

import { cloneDatabase } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { type Client, startServer, type TestServer } from '../helpers/server';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-gvl-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;
let client: Client;
let token: string;

beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServer({ databaseUrl: database.url, variables: { ROLE: 'api' } });
  ({ client, token } = await server.site());
});
afterAll(async () => {
  await endChildren();
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A vendor with every field that an official list has. */
const listed = (id: number, change: object = {}) => ({
  id,
  name: `Vendor ${id}`,
  purposes: [1, 3, 4],
  legIntPurposes: [2, 7, 9],
  flexiblePurposes: [2, 7],
  specialPurposes: [1, 2, 3],
  features: [1, 2],
  specialFeatures: [],
  overflow: { httpGetLimit: 32 },
  cookieMaxAgeSeconds: 31536000,
  usesCookies: true,
  cookieRefresh: true,
  usesNonCookieAccess: false,
  dataRetention: { stdRetention: 365, purposes: { 1: 30 }, specialPurposes: {} },
  urls: [
    {
      langId: 'en',
      privacy: `https://vendor${id}.example/privacy`,
      legIntClaim: `https://vendor${id}.example/li`,
    },
    { langId: 'pt-br', privacy: `https://vendor${id}.example/pt` },
  ],
  dataDeclaration: [1, 2, 6, 8],
  deviceStorageDisclosureUrl: `https://vendor${id}.example/disclosure.json`,
  ...change,
});

/** The shape of vendor-list.json as IAB Europe publishes it (vendor-list.consensu.org/v3). */
const official = (...vendors: ReturnType<typeof listed>[]) => ({
  gvlSpecificationVersion: 3,
  vendorListVersion: 121,
  tcfPolicyVersion: 5,
  lastUpdated: '2026-11-19T16:00:20Z',
  purposes: {
    1: { id: 1, name: 'Store and/or access information on a device', description: 'x', illustrations: [] },
  },
  specialPurposes: {},
  features: {},
  specialFeatures: {},
  stacks: { 1: { id: 1, name: 'Precise geolocation', description: 'x', purposes: [], specialFeatures: [1] } },
  dataCategories: {},
  vendors: Object.fromEntries(vendors.map((vendor) => [vendor.id, vendor])),
});

function fileOf(content: unknown): string {
  const file = join(folder, 'vendor-list.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
const run = (...args: string[]) =>
  runToEnd('server/cli/main.js', ['import-gvl', ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
const present = () => client.getVendors({ token });

test('a name obeys no terminal: what it holds beyond letters is written out', async () => {
  const name = 'Shop\u001b]0;title\u0007\n✓ All is well \u202egood\u0085';
  const site = await client.createEnvironment({ body: { name: 'Shop', domain: 'odd.example.com' } });
  // As it was given before names were of one line.
  await server.service.context.db('environments').where({ token: site.token }).update({ name });
  const done = await run(fileOf(official(listed(52))), '--site', site.token);
  expect(done).toMatchObject({ code: 0, errors: '' });
  expect(done.output).toContain('Shop\\u001b]0;title\\u0007\\u000a✓ All is well \\u202egood\\u0085;');
  expect(done.output).toMatch(/^[^\n]+\n$/);
  const wrong = await run('no\u009bfile', '--site', site.token);
  expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('no\\u009bfile')]);
});

test('an official list becomes the list of a site', async () => {
  const deleted = listed(3, { deletedDate: '2024-01-01T00:00:00Z' });
  const bare = listed(8, { purposes: [8], legIntPurposes: [], urls: undefined, dataRetention: undefined });
  const done = await run(
    fileOf(`\ufeff${JSON.stringify(official(listed(52), bare, deleted))}`),
    '--site',
    token,
  );
  expect(done).toMatchObject({ code: 0, errors: '' });
  expect(done.output).toContain(
    '2 vendors imported into Example shop; its vendor list has the version 1 now',
  );
  expect(await present()).toMatchObject({
    vendor_list_version: 1,
    purposes: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 7 }, { id: 8 }, { id: 9 }],
    vendors: [
      {
        id: 8,
        purposes: [8],
        leg_int_purposes: [],
        categories: ['analytics'],
        urls: [],
        data_retention_days: null,
      },
      {
        id: 52,
        name: 'Vendor 52',
        purposes: [1, 3, 4],
        leg_int_purposes: [2, 7, 9],
        categories: ['analytics', 'marketing'],
        urls: [
          {
            lang_id: 'en',
            privacy: 'https://vendor52.example/privacy',
            leg_int_claim: 'https://vendor52.example/li',
          },
          { lang_id: 'pt-BR', privacy: 'https://vendor52.example/pt', leg_int_claim: null },
        ],
        cookies: [],
        data_retention_days: 365,
      },
    ],
  });
});

test('of a thousand vendors those that were asked for are taken', async () => {
  const file = fileOf(official(...Array.from({ length: 1_000 }, (_, n) => listed(n + 1))));
  const { vendor_list_version } = await present();
  expect(await run(file, '--site', token, '--vendors', '755, 52')).toMatchObject({ code: 0 });
  const { vendors, ...rest } = await present();
  expect(rest.vendor_list_version).toBe(vendor_list_version + 1);
  expect(vendors.map(({ id }) => id)).toEqual([52, 755]);
  expect(await run(file, '--site', token)).toMatchObject({ code: 0 });
  expect((await present()).vendors).toHaveLength(1_000);
});

test.each<[string, unknown, string]>([
  ['no JSON', '{"gvlSpecificationVersion": 3,', 'cannot be read as JSON'],
  ['an HTML page', '<!doctype html>', 'cannot be read as JSON'],
  ['null', null, 'is no Global Vendor List of the specification version 3'],
  ['an older list', { ...official(), gvlSpecificationVersion: 2 }, '(it has the version 2)'],
  ['no vendors', { ...official(), vendors: null }, 'vendors must be object'],
  [
    'a vendor without purposes',
    official(listed(7, { purposes: undefined })),
    "vendors.7 must have required property 'purposes'",
  ],
  [
    'texts for numbers',
    official(listed(7, { legIntPurposes: ['2'] })),
    'vendors.7.legIntPurposes.0 must be integer',
  ],
  ['an unknown purpose', official(listed(7, { purposes: [12] })), 'vendor 7, purposes.0'],
  [
    'a bad address',
    official(listed(7, { urls: [{ langId: 'en', privacy: 'ftp://x' }] })),
    'vendor 7, urls.0.privacy',
  ],
  [
    'a bad language',
    official(listed(7, { urls: [{ langId: '??', privacy: 'https://x.example' }] })),
    'vendor 7, urls.0.lang_id',
  ],
  ['an id that is none', official(listed(7, { id: 0 })), 'vendor 0, id'],
])('a bad file is refused with what is wrong: %s', (_, content, message) => {
  const keys = ['necessary', 'functional', 'analytics', 'marketing'];
  const read = () => checkImported(toVendors(readList(fileOf(content)), keys), keys);
  expect(read).toThrow(message);
});

test.each<[string, unknown, string]>([
  ['damaged', official(listed(7, { purposes: [12] })), 'vendor 7, purposes.0'],
  ['empty', official(), 'no vendor that is not deleted'],
])('after a bad file the list is as it was, and no stack is shown: %s', async (_, content, message) => {
  const before = await present();
  const { code, output, errors } = await run(fileOf(content), '--site', token);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toContain(message);
  expect(errors).not.toMatch(/\bat .*\.js:\d+/);
  expect(await present()).toEqual(before);
});

test.each<[string[], number, string]>([
  [[], 2, 'Name one file'],
  [['FILE'], 2, 'Name the site with --site'],
  [['FILE', '--site', 'TOKEN', '--vendors', '1,x'], 2, '--vendors takes numbers'],
  [['FILE', '--site', 'TOKEN', '--vendors', '52,4711'], 1, 'no such vendor, or it is deleted: 4711'],
  [['FILE', '--site', `env_${'0'.repeat(22)}`], 1, 'There is no site'],
  [['nowhere.json', '--site', 'TOKEN'], 1, 'no such file'],
])('a wrong call %j says what to do', async (args, code, message) => {
  const file = fileOf(official(listed(52)));
  const found = await run(...args.map((arg) => arg.replace('FILE', file).replace('TOKEN', token)));
  expect(found.code).toBe(code);
  expect(found.errors).toContain(message);
});
