import { BundleRow } from '../../server/src/db/models';
import { isWhole } from '../../server/src/domain/banner/assemble';
import { startServer, type TestServer } from '../helpers/server';
import { settingFaults } from '../helpers/site/setting-faults';

const GPP = { sections: 'us_national', sale: true, sharing: false, targeted_advertising: true } as const;
const ON = { regions: { rules: 'law' }, gpp: GPP } as const;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const faults = (settings: object, first: object = {}): Promise<[string, string][]> =>
  settingFaults(server, settings, { first });

test('it needs rules by region, and says so, also when they are switched off', async () => {
  const words = expect.stringContaining('needs rules by region, which say where visitors may opt out');
  expect(await faults({ gpp: GPP })).toEqual([['gpp', words]]);
  expect(await faults({ regions: null, policy_version: '2' }, ON)).toEqual([['gpp', words]]);
});

test('categories must be ones that visitors can refuse, each once, for what the site does', async () => {
  const categories = { sale: ['marketing', 'necessary', 'unknown', 'marketing'], sharing: ['marketing'] };
  expect(await faults({ ...ON, gpp: { ...GPP, categories } })).toEqual([
    ['gpp.categories.sale.1', expect.stringContaining('give one of functional, analytics, marketing')],
    ['gpp.categories.sale.2', expect.stringContaining('unknown is no category that visitors can refuse')],
    ['gpp.categories.sale.3', 'the category marketing is listed twice: give it once'],
    ['gpp.categories.sharing', expect.stringContaining('set sharing to true')],
  ]);
  const necessary = { key: 'necessary', name: 'Necessary', description: '', required: true };
  expect(await faults({ ...ON, categories: [necessary] })).toEqual([
    ['gpp.sale', expect.stringContaining('needs a category that is not required')],
    ['gpp.targeted_advertising', expect.stringContaining('add one, or set it to false')],
  ]);
  // A category that it names cannot go.
  const { settings } = await server.site().then(({ client, token }) => client.getEnvironment({ token }));
  const fewer = settings.categories.filter(({ key }) => key !== 'marketing');
  const named = { ...ON, gpp: { ...GPP, categories: { sale: ['marketing'] } } };
  expect(await faults({ categories: fewer }, named)).toEqual([
    ['gpp.categories.sale.0', expect.stringContaining('marketing is no category')],
  ]);
});

test('the contract refuses what is no section, no mode, and an empty list', async () => {
  const gpp = { ...GPP, sections: 'usnat', mspa: 'both', categories: { sale: [] } };
  expect((await faults({ ...ON, gpp })).map(([path]) => path).sort()).toEqual([
    ...['gpp.categories.sale', 'gpp.mspa', 'gpp.sections'],
  ]);
});

test('in service provider mode a site neither sells, shares nor targets advertising', async () => {
  const words = expect.stringContaining('set sale, sharing and targeted_advertising to false');
  const gpp = { ...GPP, mspa: 'service_provider' };
  expect(await faults({ ...ON, gpp })).toEqual([['gpp.mspa', words]]);
  const none = { ...gpp, sale: false, sharing: false, targeted_advertising: false };
  for (const activity of ['sale', 'sharing', 'targeted_advertising'])
    expect(await faults({ ...ON, gpp: { ...none, [activity]: true } })).toEqual([['gpp.mspa', words]]);
  const { client, token } = await server.site({ ...ON, gpp: none as never });
  expect((await client.getEnvironment({ token })).settings.gpp).toEqual(none);
});

test('an owner is warned of the national section without the agreement, and of notices that nobody states', async () => {
  const { client, token } = await server.site(ON);
  const warned = async (gpp: object) => {
    const { warnings, config } = await client.previewBundle({
      token,
      body: { settings: { gpp: { ...GPP, ...gpp } } },
    });
    const own = warnings.filter(({ code }) => code.startsWith('gpp_'));
    return [own.map(({ code, path }) => [code, path]), config.gpp?.notices];
  };
  const sections = ['gpp_sections', 'settings.gpp.sections'];
  const notices = ['gpp_notices', 'settings.gpp.notices'];
  expect(await warned({})).toEqual([[sections, notices], undefined]);
  expect(await warned({ mspa: 'opt_out_option' })).toEqual([[notices], undefined]);
  expect(await warned({ sections: 'us_states', notices: false })).toEqual([[notices], undefined]);
  expect(await warned({ sections: 'us_states', notices: true })).toEqual([[], true]);
  // There is nothing to tell.
  expect(await warned({ sections: 'us_states', sale: false, targeted_advertising: false })).toEqual([
    [],
    undefined,
  ]);
});

test('a bundle has it complete, its hash covers it, and its snippet has the stub', async () => {
  const { client, token } = await server.site({ regions: ON.regions });
  const without = await client.generateBundle({ token });
  expect(without.snippet).not.toContain('__gpp');
  await client.updateEnvironment({ token, body: { settings: ON } });
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).toContain('bundle_outdated');
  const bundle = await client.generateBundle({ token });
  expect(await codes()).not.toContain('bundle_outdated');
  expect(bundle.snippet).toContain('__gpp');
  expect(bundle.snippet_csp_hash).not.toBe(without.snippet_csp_hash);
  const { config } = await client.getBundleRecord({ token, hash: bundle.hash });
  const all = ['functional', 'analytics', 'marketing'];
  expect(config.gpp).toEqual({
    ...{ cmp_id: 1, sections: 'us_national', sale: all, sharing: null, targeted_advertising: all },
  });
  // What the list of bundles shows has the same snippet.
  const { items } = await client.listBundles({ token });
  expect(items.map(({ snippet }) => snippet)).toEqual([bundle.snippet, without.snippet]);
  const row = await BundleRow.query(server.service.context.db)
    .findOne({ hash: bundle.hash })
    .throwIfNotFound();
  expect(isWhole(row)).toBe(true);
  const other = { ...row.config, gpp: { ...row.config.gpp, sale: null } };
  expect(isWhole(Object.assign(row, { config: other }))).toBe(false);
  // And off again, the bundle before is the one.
  await client.updateEnvironment({ token, body: { settings: { gpp: null } } });
  const again = await client.generateBundle({ token });
  const { config: plain } = await client.getBundleRecord({ token, hash: again.hash });
  expect(plain).not.toHaveProperty('gpp');
  expect(again.snippet).toBe(without.snippet);
});

test('its string names the operator’s CMP where there is one', async () => {
  const registered = await startServer({ variables: { TCF_CMP_ID: '300', TCF_LIST: 'off' } });
  try {
    const { client, token } = await registered.site({ ...ON, gpp: { ...GPP, mspa: 'opt_out_option' } });
    const { config } = await client.previewBundle({ token });
    expect(config.gpp).toMatchObject({ cmp_id: 300, mspa: 'opt_out_option' });
  } finally {
    await registered.stop();
  }
});

test('an owner is warned when every US visitor is asked first, and not for one state', async () => {
  const { client, token } = await server.site(ON);
  const warned = async (overrides: { region: string; rule: 'opt_in' }[]) => {
    const settings = { regions: { rules: 'law' as const, overrides } };
    const { warnings } = await client.previewBundle({ token, body: { settings } });
    return warnings.filter(({ code }) => code === 'gpp_rule');
  };
  const { laws } = await client.getRegionLaws({});
  const states = [...new Set(laws.flatMap(({ regions }) => regions.filter((one) => one.startsWith('US'))))];
  const asked = states.map((region) => ({ region, rule: 'opt_in' as const }));
  expect(await warned([])).toEqual([]);
  expect(await warned(asked.slice(0, 1))).toEqual([]);
  expect(await warned(asked)).toEqual([
    {
      code: 'gpp_rule',
      path: 'settings.regions.overrides',
      message: expect.stringContaining('opted out until they decide'),
    },
  ]);
  const { warnings } = await client.previewBundle({ token, body: { settings: { gpp: null } } });
  expect(warnings.map(({ code }) => code)).not.toContain('gpp_rule');
});
