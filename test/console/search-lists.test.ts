import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { colleague } from '../helpers/console/roles';

jest.setTimeout(120_000);

describeInBrowser('which systems were searched', () => {
  const kit = useConsole();

  test('an owner lists systems, somebody searches them for a request, and is asked before it is resolved', async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const page = await kit.open(`/sites/${token}/dsar`, { as: owner });
    await page.getByRole('link', { name: 'Systems' }).click();
    await page.getByRole('button', { name: 'Add a system' }).click();
    await page.getByLabel('Name').fill('Shop database');
    await page.getByLabel('Where it is').fill('Ask the administrators.');
    await page.getByRole('button', { name: 'Add a system' }).click();
    await page.getByLabel('Name').last().fill('shop database');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Is there already.').waitFor();
    await page.getByLabel('Name').last().fill('Newsletter');
    await kit.look(page, 'systems');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Systems saved').waitFor();

    const { request_id } = await kit.server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email: 'jules@example.com' },
    });
    const operator = await colleague(kit.server, owner, token, 'operator');
    const desk = await kit.open(`/sites/${token}/dsar/${request_id}`, { as: operator });
    const card = desk.getByRole('region', { name: 'Systems searched' });
    await card.getByRole('button', { name: 'Make the list' }).click();
    await card.getByText('0 of 2 searched').waitFor();
    await card.getByRole('button', { name: 'Say what was found: Shop database' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByText('There are data of the person.').click();
    await dialog.getByLabel('Note').fill('Two orders.');
    await kit.look(desk, 'search-line');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByText('1 of 2 searched').waitFor();
    await card.getByRole('row', { name: /^Shop database.*Data found.*Two orders/ }).waitFor();
    await desk.getByText('Shop database: data found. Two orders.').waitFor();
    await card.getByRole('button', { name: 'Add a system' }).click();
    await dialog.getByLabel('Name').fill('Paper archive');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await card.getByText('1 of 3 searched').waitFor();
    await kit.look(desk, 'search-list');

    await desk.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('1 of 3 systems searched').waitFor();
    expect((await client.getDsar({ token, request_id })).status).toBe('created');
    await kit.look(desk, 'search-open');
    await dialog.getByRole('button', { name: 'Resolve all the same' }).click();
    await desk.getByText('The request is resolved.').waitFor();
    await card.getByRole('button', { name: 'Add a system' }).waitFor({ state: 'detached' });
  });

  test('a viewer reads systems and lists', async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    await client.setSiteSystems({ token, body: { systems: [{ name: 'Shop database' }] } });
    const { request_id } = await kit.server.visitor.submitDsar({
      token,
      body: { request_type: 'objection', email: 'jules@example.com' },
    });
    await client.fillSearchList({ token, request_id, body: {} });
    const viewer = await colleague(kit.server, owner, token, 'viewer');
    const page = await kit.open(`/sites/${token}/dsar/systems`, { as: viewer });
    await page.getByRole('cell', { name: 'Shop database' }).waitFor();
    await kit.look(page, 'systems-read');
    await page.goto(`${kit.server.url}/console/sites/${token}/dsar/${request_id}`);
    await page.getByText('0 of 1 searched').waitFor();
    expect(await page.getByRole('button', { name: /^Say what was found/ }).count()).toBe(0);
  });
});
