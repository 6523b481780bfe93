import { randomUUID } from 'node:crypto';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { encode, idsOf } from '../helpers/tcf/banner-code';
import { listFolderOf } from '../helpers/tcf/folder';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

describeInBrowser('IAB Europe’s framework', () => {
  const folder = listFolderOf();
  const kit = useConsole({ variables: { TCF_CMP_ID: '300', TCF_LIST: folder } });
  const load = () => refreshVendorList(kit.server.service.context, new Date(), new AbortController().signal);

  test('an owner sees what is missing, switches it on with a preview, restricts it, and saves', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const empty = await kit.open(`/sites/${token}/banner/tcf`, { as: owner });
    await empty.getByText('The Global Vendor List is not here yet').waitFor();
    await load();
    const page = await kit.open(`/sites/${token}/banner/tcf`, { as: owner });
    await page.getByRole('table', { name: 'Vendors of the list' }).getByText('Alpha Ads').waitFor();
    await page.getByRole('switch', { name: 'Ask by the framework' }).check({ force: true });
    await page.getByLabel('Publisher’s country').fill('de');
    const banner = page.frameLocator('iframe');
    await banner.getByText('our 11 providers').waitFor();
    await page.getByLabel('Vendors', { exact: false }).first().fill('2, 3, 4000');
    await page.getByText('has no vendor 4000').waitFor();
    await banner.getByText('our 2 providers').waitFor();
    await page.getByRole('checkbox', { name: 'Purpose 7 only by consent' }).check({ force: true });
    await page.getByLabel('Marketing').fill('2, 99');
    await kit.look(page, 'tcf');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be').first().waitFor();
    await page.getByLabel('Marketing').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the settings', async () => {
      const { settings } = await owner.client.getEnvironment({ token });
      return settings.tcf?.publisher_country === 'DE' && settings.tcf;
    });
    expect((await owner.client.getEnvironment({ token })).settings.tcf).toEqual({
      publisher_country: 'DE',
      vendors: [2, 3, 4000],
      consent_only_purposes: [7],
      categories: { marketing: [2] },
    });
  });

  test('others see the list', async () => {
    await load();
    const owner = await kit.server.site();
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/banner/tcf`, { as: viewer });
    await page.getByText('Only owners can change this.').waitFor();
    await page.getByRole('table', { name: 'Vendors of the list' }).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
  });

  test('a record says in words what its string says', async () => {
    await load();
    const owner = await kit.server.site({ tcf: { publisher_country: 'DE' } });
    const { token } = owner;
    const { hash } = await owner.client.generateBundle({ token });
    const { config } = await owner.client.getBundleRecord({ token, hash });
    const tcf = config.tcf;
    if (tcf === undefined) throw new Error('no framework');
    const tc_string = encode(
      { purposes: [1, 8], legInt: [7], special: [], vendors: [2, 3], legIntVendors: [5] },
      {
        ...{
          at: Date.UTC(2026, 10, 26),
          cmpId: 300,
          cmpVersion: 1,
          language: 'en',
          country: 'DE',
          screen: 1,
        },
        ...{ listVersion: tcf.vendor_list_version, policyVersion: 5, purposeOneTreatment: false },
        ...{ restrictions: [], disclosed: idsOf(tcf.vendors) },
      },
    );
    const body = { event_id: randomUUID(), session_id: randomUUID(), decision: 'save_preferences' as const };
    const { consent_id } = await kit.server.visitor.recordVisitorConsent({
      token,
      body: { ...body, allowed: [], bundle_hash: hash, tc_string },
    });
    const page = await kit.open(`/sites/${token}/consents/${consent_id}`, { as: owner });
    await page.getByText('8. Measure content performance').waitFor();
    await page.getByText('2-3', { exact: true }).waitFor();
    await page.getByText('Those of the banner that is named').waitFor();
  });
});
