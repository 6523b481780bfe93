import { createAvow } from '@avow/sdk';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { refusal } from '../helpers/http/refusal';
import { member } from '../helpers/site/people';

jest.setTimeout(90_000);

describeInBrowser('API keys', () => {
  const kit = useConsole();
  const by = (apiKey: string) => createAvow({ baseUrl: kit.server.url, apiKey, retries: 0 });

  test('a key is made with chosen scopes, shown once, rotated and revoked', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open('/account/keys', { as: owner });
    await page.getByText('No keys').waitFor();
    const guide = (await page.getByRole('link', { name: 'How to use keys' }).getAttribute('href')) as string;
    const answer = await fetch(new URL(guide, kit.server.url));
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('<h1>Service accounts</h1>'),
    ]);
    await page.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make an API key' });
    await dialog.getByLabel('Name').fill('nightly export');
    await dialog.getByText('Only what you tick.').click();
    await dialog.getByText('Read consents').click();
    await dialog.getByLabel('Networks').fill('10.0.0.0/99');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByText(/must be a network/i).waitFor();
    await kit.look(page, 'keys-make');
    await dialog.getByLabel('Networks').fill('127.0.0.0/8');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Copy the key' });
    const first = (await shown.locator('pre').textContent()) as string;
    await kit.look(page, 'keys-shown');
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    expect((await by(first).listConsents({ token })).items).toEqual([]);
    expect((await refusal(by(first).listDsar({ token }))).status).toBe(403);
    await page.getByRole('cell', { name: 'Read consents' }).waitFor();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate nightly export' }).click();
    await page.getByRole('button', { name: 'Make the new key' }).click();
    const next = page.getByRole('dialog', { name: 'Copy the new key' });
    const second = (await next.locator('pre').textContent()) as string;
    await next.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Replaced').waitFor();
    await kit.look(page, 'keys');
    for (const key of [first, second]) expect((await by(key).listConsents({ token })).items).toEqual([]);
    await page.getByRole('button', { name: 'Revoke nightly export' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await refusal(by(second).listConsents({ token }))).status).toBe(401);
    expect((await by(first).listConsents({ token })).items).toEqual([]);
  });

  test('owners see every key that reaches the site and end those bound to it; others see none', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const other = await member(kit.server, owner, 'owner');
    const bound = await other.client.createKey({ body: { name: 'theirs', set: 'webhooks', site: token } });
    await other.client.createKey({ body: { name: 'everywhere else', set: 'webhooks' } });
    const page = await kit.open(`/sites/${token}/keys`, { as: owner });
    await page.getByText('Its maker can revoke it').waitFor();
    expect(await page.content()).not.toContain('everywhere else');
    await kit.look(page, 'site-keys');
    await page.getByRole('button', { name: 'Revoke theirs' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await refusal(by(bound.key).listWebhooks({ token }))).status).toBe(401);
    const viewer = await member(kit.server, owner, 'viewer');
    const theirs = await kit.open(`/sites/${token}/keys`, { as: viewer });
    await theirs.getByText('Only owners see the keys').waitFor();
    expect(await theirs.content()).not.toContain('theirs');
  });
});
