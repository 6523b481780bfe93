import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { publishTest, testOf } from '../helpers/site/two-banners';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

/** What other pages do and show while an A/B test runs. */
describeInBrowser('the console while an A/B test runs', () => {
  const kit = useConsole();

  const openTest = async (settings: object = {}) => {
    const owner = await kit.server.site({
      ...{ privacy_policy_url: 'https://shop.example.com/privacy', policy_version: '1', ...settings },
    });
    const { client, token } = owner;
    const saved = (await client.getEnvironment({ token })).settings;
    const publish = async (share: number) => {
      const banner_test = testOf(saved, undefined, { share });
      await client.updateEnvironment({ token, body: { settings: { banner_test } } });
      return publishTest(client, token);
    };
    return { owner, client, token, publish, saved };
  };
  const numberOf = async ({
    client,
    token,
  }: Pick<Awaited<ReturnType<typeof openTest>>, 'client' | 'token'>) =>
    (await client.getBannerTest({ token })).current?.number;

  test('the snippet and the current banner are version A, also where version B is first in the list', async () => {
    const site = await openTest();
    const { owner, client, token, publish } = site;
    let share = 20;
    const [hashes, first] = await until('version B is first', async () => {
      const both = await publish(share++);
      const { items } = await client.listBundles({ token });
      return items[0]?.hash === both.b && ([both, items] as const);
    });
    const a = first.find(({ hash }) => hash === hashes.a);
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    await page.getByText('Pinned to this banner').click();
    await page.getByText(a?.snippet_pinned as string).waitFor();
    const rowOf = (hash: string) => page.getByRole('row').filter({ hasText: hash });
    await rowOf(hashes.b).getByText('Version B of a test').waitFor();
    await rowOf(hashes.a).getByText('Version A of a test').waitFor();
    await kit.look(page, 'published-test');
    await rowOf(hashes.b).getByRole('link').click();
    await page.getByText('cannot be restored from here').waitFor();
    expect(await page.getByRole('link', { name: 'Restore this banner' }).count()).toBe(0);
    await page.goBack();
    await rowOf(hashes.a).getByRole('link').click();
    await page.getByRole('link', { name: 'Restore this banner' }).waitFor();
  });

  test('whoever only reads is shown both versions', async () => {
    const site = await openTest();
    const { owner, token, publish } = site;
    await publish(50);
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${token}/banner`, { as: viewer });
    await page.getByText('each page view is shown one of two versions').waitFor();
    await page.getByRole('heading', { name: 'Version A' }).waitFor();
    await page.getByRole('heading', { name: 'Version B' }).waitFor();
    expect(await page.getByRole('heading', { name: 'The current banner' }).count()).toBe(0);
  });

  test('to publish what is saved asks first where it would end the test', async () => {
    const site = await openTest();
    const { owner, client, token, publish, saved } = site;
    await publish(50);
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    const button = page.getByRole('button', { name: 'Publish the saved settings' });
    // The test goes on: nothing to ask.
    await button.click();
    await page.getByText('Banner published').first().waitFor();
    await client.updateEnvironment({
      token,
      body: { settings: { banner: { ...saved.banner, theme: 'dark' } } },
    });
    await button.click();
    const question = page.getByRole('alertdialog');
    await question.getByText('starts a new one').waitFor();
    expect(await numberOf(site)).toBe(1);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await numberOf(site)).toBe(1);
    // What is saved is not what was tested, so that version B cannot be kept.
    const test = await kit.open(`/sites/${token}/banner/ab-test`, { as: owner });
    await test.getByText('Version B cannot be kept from here').waitFor();
    expect(await test.getByRole('button', { name: 'End, keep B' }).isDisabled()).toBe(true);
    await button.click();
    await question.getByRole('button', { name: 'Publish anyway' }).click();
    await until('it started anew', async () => (await numberOf(site)) === 2);
  });

  test('to save and publish another banner asks first, and saves nothing before', async () => {
    const site = await openTest();
    const { owner, client, token, publish } = site;
    await publish(50);
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await page.getByRole('radio', { name: 'Dialog' }).check({ force: true });
    await page.getByRole('button', { name: 'Save and publish' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('starts a new one').waitFor();
    expect((await client.getEnvironment({ token })).settings.banner.layout).toBe('box');
    await question.getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByRole('heading', { name: 'Published banners' }).waitFor();
    expect((await client.getEnvironment({ token })).settings.banner.layout).toBe('dialog');
    expect(await numberOf(site)).toBe(2);
  });

  test('to ask everybody again says what becomes of the test', async () => {
    const site = await openTest();
    const { owner, client, token, publish } = site;
    await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Counter')] } });
    await publish(50);
    await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Counter'), vendor(2, 'Ads')] } });
    await publish(50);
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    await page.getByRole('button', { name: 'Ask everybody again' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('An A/B test is running: this ends it and starts a new one').waitFor();
    await question.getByRole('button', { name: 'Ask everybody' }).click();
    await until('it started anew', async () => (await numberOf(site)) === 2);
  });
});
