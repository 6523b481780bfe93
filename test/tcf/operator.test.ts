import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTcf } from '../../server/cli/doctor/tcf';
import { readConfig } from '../../server/src/config';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { cloneDatabase } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';
import { listFolderOf } from '../helpers/tcf/folder';
import { vendorList } from '../helpers/tcf/list';

jest.setTimeout(120_000);

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;
const variables = { TCF_CMP_ID: '300', TCF_LIST: 'off' };
beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServer({ databaseUrl: database.url, variables });
});
afterAll(async () => {
  await endChildren();
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const folder = mkdtempSync(join(tmpdir(), 'avow-tcf-'));
const run = (...args: string[]) =>
  runToEnd('server/cli/main.js', ['import-gvl', ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...variables,
  });
const doctor = async (more: object = {}) =>
  (await checkTcf(server.service.context.db, readConfig({ ...variables, ...more }))).map(
    ({ mark, text }) => `${mark} ${text}`,
  );

test('a list is imported where there is no internet, with its texts; doctor and warnings say what is missing', async () => {
  const { client, token } = await server.site({ tcf: { publisher_country: 'DE' } });
  const warned = async () =>
    (await client.listWarnings({ token })).items.filter(({ code }) => code === 'tcf_list_old');
  expect(await doctor()).toEqual([
    '✗ TCF: CMP 300, and no Global Vendor List yet: import one with npm run import-gvl -- FILE --tcf',
  ]);
  expect((await warned())[0]?.message).toMatch(/^There is no Global Vendor List yet/);
  await expect(client.generateBundle({ token })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'body.settings.tcf', code: 'no_vendor_list' }],
  });
  // Nothing is fetched.
  await refreshVendorList(server.service.context, new Date(), new AbortController().signal);
  const { code, output, errors } = await run(join(listFolderOf(), 'vendor-list.json'), '--tcf');
  expect([code, errors, output]).toEqual([
    0,
    '',
    expect.stringContaining('The Global Vendor List 120 is stored: 11 vendors, texts in 2 languages.'),
  ]);
  await client.generateBundle({ token });
  const listOfBundle = async () => {
    const [present] = (await client.listBundles({ token })).items;
    const { config } = await client.getBundleRecord({ token, hash: present?.hash as string });
    return config.tcf?.vendor_list_version;
  };
  expect(await listOfBundle()).toBe(120);
  expect(await warned()).toEqual([]);
  expect((await doctor())[0]).toMatch(/^✓ TCF: CMP 300, Global Vendor List 120, stored 0 days ago/);
  const older = listFolderOf(vendorList({ vendorListVersion: 119 }));
  expect((await run(join(older, 'vendor-list.json'), '--tcf')).errors).toContain(
    'has the version 119, and 120 is here',
  );
  expect((await run(join(older, 'vendor-list.json'), '--tcf', '--older')).output).toContain(
    'The Global Vendor List 119 is stored',
  );
  expect((await client.getTcf({ token })).list?.vendor_list_version).toBe(119);
  // Strings name the list of their bundle, and 120 is none any more.
  expect(await listOfBundle()).toBe(119);
  // A newer one that says the same leaves the banner as it is.
  await run(join(listFolderOf(), 'vendor-list.json'), '--tcf');
  expect(await listOfBundle()).toBe(119);
  writeFileSync(join(older, 'vendor-list.json'), '{"gvlSpecificationVersion":2}');
  expect((await run(join(older, 'vendor-list.json'), '--tcf')).errors).toContain(
    'vendor-list.json is damaged: it is no Global Vendor List of version 3',
  );
  expect((await run(join(older, 'vendor-list.json'), '--tcf', '--site', token)).errors).toContain(
    'leave --site',
  );
  const { list } = await client.getTcf({ token });
  expect(list?.vendor_list_version).toBe(120);
});

test.each([
  ['TCF_CMP_ID', '1'],
  ['TCF_CMP_ID', '4096'],
  ['TCF_CMP_VERSION', '0'],
  ['TCF_LIST', 'http://'],
])('%s=%s is refused in words', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} has a bad value`);
});
