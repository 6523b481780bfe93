import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { prove } from '../helpers/site/proofs';

jest.setTimeout(90_000);

describeInBrowser('public pages in the console', () => {
  const kit = useConsole();

  test('there are their addresses, lines to copy that work, and what keeps them out of frames', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    // The server's address without a path is what everybody else reaches it by, too.
    kit.server.service.context.config.publicUrl = kit.server.url;
    const page = await kit.open(`/sites/${token}/settings/pages`, { as: owner });
    await page.getByText('None of your domains is proven').waitFor();
    await kit.look(page, 'settings-pages');
    for (const name of ['request', 'preferences', 'cookies']) {
      const url = `${kit.server.url}/pages/${token}/${name}`;
      expect(await page.getByRole('link', { name: url, exact: true }).getAttribute('href')).toBe(url);
      expect((await fetch(url)).status).toBe(200);
    }
    const code = (label: string) => page.getByRole('figure', { name: label }).locator('code').textContent();
    expect(await code('Frame of the request form')).toContain(
      `src="${kit.server.url}/pages/${token}/request"`,
    );
    expect(await code('Lines that open the settings')).toContain("push(['show', 'settings'])");
    expect(await code('Line that lists the cookies in a page')).toBe(
      `<script async src="${kit.server.url}/pages/${token}/cookies/embed.js"></script>`,
    );
    for (const label of ['Address of the fragment', 'Address of the data'])
      expect((await fetch((await code(label)) ?? '')).status).toBe(200);

    await prove(kit.server, token, ['shop.example.com']);
    await page.reload();
    await page.getByRole('heading', { name: 'Cookie declaration' }).waitFor();
    expect(await page.getByText('None of your domains is proven').count()).toBe(0);
  });
});
