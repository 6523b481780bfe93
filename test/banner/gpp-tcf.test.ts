import type { Page } from 'playwright-core';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { decoded } from '../helpers/gpp/decoded';
import { call, events, from, ping, REGION_VARIABLES, VENDOR } from '../helpers/gpp/vendor';
import { choiceIn } from '../helpers/tcf/choice';
import { listFolderOf } from '../helpers/tcf/folder';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const GPP = { sections: 'us_states', sale: true, sharing: true, targeted_advertising: true, notices: true };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeInBrowser('GPP together with IAB Europe’s framework', () => {
  let shop: Shop;
  beforeAll(async () => {
    const variables = { ...REGION_VARIABLES, TCF_CMP_ID: '300', TCF_LIST: listFolderOf() };
    const settings = { regions: { rules: 'law' }, gpp: GPP, tcf: { publisher_country: 'DE' } };
    shop = await openShop(settings, variables, ({ service }) =>
      refreshVendorList(service.context, new Date(), new AbortController().signal),
    );
    const { snippet_pinned: snippet } = await shop.publish();
    shop.set('/', { snippet, head: VENDOR });
  });
  afterAll(() => shop?.stop());

  const visitFrom = async (country: string, state?: string): Promise<Page> =>
    shop.visit('/', await from(shop.browser, country, state));
  const recordOf = (page: Page) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      const { items } = await shop.client.listConsents({ token: shop.token });
      return items.find(({ session_id }) => session_id === session);
    });

  test('a visitor of the Union has the TC string in a section, once there is one', async () => {
    const page = await visitFrom('DE');
    await button(page, 'Accept all').waitFor();
    expect(await ping(page)).toMatchObject({
      ...{ signalStatus: 'not ready', applicableSections: [2], sectionList: [], gppString: 'DBAA' },
      supportedAPIs: expect.arrayContaining(['2:tcfeuv2', '7:usnat']),
      cmpId: 300,
    });
    await button(page, 'Accept all').click();
    const { tc_string = '', gpp_string = '' } = await recordOf(page);
    expect(gpp_string).toBe(`DBABMA~${tc_string}`);
    expect((await events(page)).slice(4)).toEqual([
      ['cmpDisplayStatus', 'visible'],
      ['sectionChange', 'tcfeuv2'],
      ['cmpDisplayStatus', 'hidden'],
      ['signalStatus', 'ready'],
    ]);
    // What events have of it is what the IAB's library reads.
    const { parsedSections, gppString } = await ping(page);
    expect(gppString).toBe(gpp_string);
    const [core, disclosed] = (parsedSections as { tcfeuv2: Record<string, unknown>[] }).tcfeuv2;
    const choice = choiceIn(tc_string);
    expect(core).toMatchObject({
      ...{
        Version: 2,
        CmpId: 300,
        CmpVersion: 1,
        ConsentScreen: 1,
        ConsentLanguage: 'EN',
        PublisherCC: 'DE',
      },
      ...{ PurposeConsent: choice.purposes, VendorConsent: choice.vendors, VendorListVersion: 120 },
      ...{ VendorLegitimateInterest: choice.legIntVendors, SpecialFeatureOptIns: choice.special },
      ...{ TcfPolicyVersion: 5, PurposesLITransparency: choice.legInt },
    });
    expect(disclosed).toEqual({ SegmentType: 1, DisclosedVendors: choice.disclosed });
    const { tcfeuv2 } = decoded(gpp_string);
    expect(JSON.stringify(core?.Created)).toBe(JSON.stringify(tcfeuv2?.Created));
    // The framework's data are in events alone.
    expect(await call(page, 'hasSection', 'tcfeuv2')).toEqual([true, true]);
    expect(await call(page, 'getSection', 'tcfeuv2')).toEqual([null, true]);
    expect(await call(page, 'getField', 'tcfeuv2.CmpId')).toEqual([null, true]);
    await page.context().close();
  });

  test('a visitor of California has the state’s section alone, and no TC string', async () => {
    const page = await visitFrom('US', 'CA');
    await button(page, 'Do not sell or share my personal information').click();
    const record = await recordOf(page);
    expect(record).not.toHaveProperty('tc_string');
    expect(decoded(record.gpp_string ?? '')).toEqual({ usca: expect.objectContaining({ SaleOptOut: 1 }) });
    expect(await ping(page)).toMatchObject({ applicableSections: [8], sectionList: [8] });
    const gdpr = await page.evaluate(
      () =>
        new Promise((resolve) => {
          (window as unknown as { __tcfapi(...all: unknown[]): void }).__tcfapi('ping', 2, resolve);
        }),
    );
    expect(gdpr).toMatchObject({ gdprApplies: false });
    await page.context().close();
  });

  test('a state that is asked first by the framework has both', async () => {
    const overrides = [{ region: 'US-CA', rule: 'opt_in' }];
    const { snippet_pinned: snippet } = await shop.publish({ regions: { rules: 'law', overrides } });
    shop.set('/', { snippet, head: VENDOR });
    const page = await visitFrom('US', 'CA');
    await button(page, 'Accept all').click();
    const { tc_string = '', gpp_string = '' } = await recordOf(page);
    expect(gpp_string.split('~')[1]).toBe(tc_string);
    expect(decoded(gpp_string)).toMatchObject({ usca: { SaleOptOut: 2 }, tcfeuv2: { CmpId: 300 } });
    expect(await ping(page)).toMatchObject({ applicableSections: [2, 8], sectionList: [2, 8] });
    // The next page has them again, from what is stored.
    await page.reload();
    await until('the string', async () => (await ping(page)).gppString === gpp_string);
    await page.context().close();
  });
});
