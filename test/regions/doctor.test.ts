import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRegions } from '../../server/cli/doctor/regions';
import { readConfig } from '../../server/src/config';
import { mmdb } from '../helpers/regions/mmdb';

const folder = mkdtempSync(join(tmpdir(), 'avow-regions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: Buffer | string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const NOW = Math.floor(Date.now() / 1000);
const said = async (variables: Record<string, string>) =>
  (await checkRegions(readConfig(variables))).map(({ mark, text }) => `${mark} ${text}`);

test('doctor says how the server knows regions', async () => {
  expect(await said({})).toEqual(['✓ Regions: by the time zone of browsers, which tells no states']);
  const [ignored] = await said({ REGION_HEADER: 'CF-IPCountry' });
  expect(ignored).toMatch(/^! .*cf-ipcountry is ignored, because TRUST_PROXY is off/);
  const [trusted] = await said({ REGION_HEADER: 'CF-IPCountry,CF-Region-Code', TRUST_PROXY: '1' });
  expect(trusted).toMatch(/^✓ .*cf-ipcountry and cf-region-code of trusted proxies/);
});

test('doctor opens the file of addresses', async () => {
  const entries = [['192.0.2.0/24', 'FR']] as [string, string][];
  const good = file('good.mmdb', mmdb(entries, { built: NOW }));
  expect(await said({ REGION_DATABASE: good })).toEqual([
    `✓ Regions: by the file ${good} (Test-City, 0 days old)`,
  ]);
  const old = file('old.mmdb', mmdb(entries, { built: NOW - 61 * 86_400 }));
  expect((await said({ REGION_DATABASE: old }))[0]).toMatch(/^! .*61 days old/);
  const other = file('asn.mmdb', mmdb(entries, { type: 'Test-ASN', built: NOW }));
  expect((await said({ REGION_DATABASE: other }))[0]).toMatch(/^✗ .*Test-ASN file, which names no countries/);
  const bad = file('bad.mmdb', 'nothing of the kind');
  expect((await said({ REGION_DATABASE: bad }))[0]).toMatch(/^✗ .*cannot be read/);
  expect((await said({ REGION_DATABASE: join(folder, 'none') }))[0]).toMatch(/^✗ .*cannot be read \(ENOENT/);
});

test.each(['', 'a,b,c', 'CF IPCountry', 'CF-IPCountry,'])('the header %p is refused in words', (value) => {
  const read = () => readConfig({ REGION_HEADER: value });
  if (value === '') expect(read().regionHeader).toBeUndefined();
  else
    expect(read).toThrow('REGION_HEADER has a bad value: set it to the name of the header with the country');
});
