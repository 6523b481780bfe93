import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { fillRequests } from '../helpers/console/desk';
import { colleague } from '../helpers/console/roles';

jest.setTimeout(120_000);

describeInBrowser('work on many requests', () => {
  const kit = useConsole();

  const desk = async () => {
    const owner = await kit.server.site();
    const ids = await fillRequests(kit.server, owner, owner.token);
    const otto = await colleague(kit.server, owner, owner.token, 'operator');
    const read = (request_id: string) => owner.client.getDsar({ token: owner.token, request_id });
    return { owner, otto, ids, read, path: `/sites/${owner.token}/dsar` };
  };
  const rows = (page: Page) => page.getByRole('table', { name: 'Requests' }).locator('tbody tr');

  test('a request is given to somebody, and the list shows and finds it', async () => {
    const { owner, otto, ids, read, path } = await desk();
    const [request_id] = ids as [string];
    const page = await kit.open(`${path}/${request_id}`, { as: owner });
    await page.getByRole('button', { name: 'Assign' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Person').selectOption({ label: `Otto Operator (${otto.email})` });
    await kit.look(page, 'request-assign');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText(`${otto.email} works on the request now.`).waitFor();
    expect((await read(request_id)).assignee?.user_id).toBe(otto.userId);
    await page.getByText('Otto Operator', { exact: true }).waitFor();
    const his = await kit.open(`${path}?assignee=me`, { as: otto });
    await his.getByText('1 shown, that is all').waitFor();
    expect(await rows(his).first().textContent()).toMatch(/lotte\.janssen.*Otto Operator/);
    await his.getByLabel('Assigned to').selectOption('nobody');
    await his.getByText('4 shown, that is all').waitFor();
  });

  test('whoever is not seen to have a request is not taken off it', async () => {
    const { owner, otto, ids, read, path } = await desk();
    const [request_id] = ids as [string];
    const page = await kit.open(`${path}/${request_id}`, { as: owner });
    await page.getByRole('button', { name: 'Assign' }).click();
    await otto.client.assignDsar({ token: owner.token, request_id, body: { assignee: 'me' } });
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
    await page.getByText(/works on this request by now/).waitFor();
    expect((await read(request_id)).assignee?.user_id).toBe(otto.userId);
  });

  test('members comment on a request, and delete what they wrote', async () => {
    const { owner, otto, ids, path } = await desk();
    const [request_id] = ids as [string];
    const page = await kit.open(`${path}/${request_id}`, { as: otto });
    await page.getByText('No comments yet.').waitFor();
    await page.getByLabel('Comment', { exact: true }).fill('The backup is still to be searched.');
    await page.getByRole('button', { name: 'Add a comment' }).click();
    const said = page.locator('li', { hasText: 'The backup is still to be searched.' });
    await said.waitFor();
    await kit.look(page, 'request-comments');
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('');
    await owner.client.addDsarComment({ token: owner.token, request_id, body: { text: 'It was.' } });
    await page.reload();
    await page.getByText('It was.', { exact: true }).waitFor();
    // Somebody else's is not theirs to delete.
    expect(await page.getByRole('button', { name: /Delete the comment/ }).count()).toBe(1);
    await said.getByRole('button', { name: /Delete the comment/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said.waitFor({ state: 'detached' });
    const { items } = await owner.client.listDsarComments({ token: owner.token, request_id });
    expect(items.map(({ text }) => text)).toEqual(['It was.']);
  });

  test('views are chosen from a menu, are in the address, and are saved, shared, renamed and deleted', async () => {
    const { owner, otto, ids, path } = await desk();
    const { client, token } = owner;
    await client.assignDsar({ token, request_id: ids[1] as string, body: { assignee: 'me' } });
    const page = await kit.open(path, { as: owner });
    const menu = (on: Page) => on.getByLabel('View', { exact: true });
    const shown = (on: Page, n: number) => on.getByText(`${n} shown, that is all`).waitFor();
    await shown(page, 5);
    for (const [name, n] of [
      ['Assigned to me', 1],
      ['Due within 7 days', 1],
      ['Overdue', 1],
      ['Unassigned', 4],
    ] as const) {
      await menu(page).selectOption({ label: name });
      await shown(page, n);
    }
    expect(page.url()).toMatch(/\?assignee=nobody$/);
    await page.goBack();
    await shown(page, 1);
    expect(await menu(page).locator('option:checked').textContent()).toBe('Overdue');
    await menu(page).selectOption({ label: 'None' });
    await page.getByLabel('Kind').selectOption('erasure');
    await shown(page, 2);
    await page.getByRole('button', { name: 'Save this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Erasures');
    await dialog.getByText('For all members').click();
    await kit.look(page, 'desk-save-view');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The view is saved.').waitFor();
    expect(await menu(page).locator('option:checked').textContent()).toBe('Erasures (shared)');
    await kit.look(page, 'desk-view');
    const his = await kit.open(path, { as: otto });
    await his.getByRole('option', { name: 'Erasures (shared)' }).waitFor({ state: 'attached' });
    await menu(his).selectOption({ label: 'Erasures (shared)' });
    await shown(his, 2);
    await his.getByRole('button', { name: 'Manage views' }).click();
    await his.getByRole('cell', { name: 'All members' }).waitFor();
    expect(await his.getByRole('button', { name: 'Rename Erasures' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Manage views' }).click();
    await page.getByRole('button', { name: 'Rename Erasures' }).click();
    await dialog.getByLabel('Name').fill('To erase');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Delete To erase' }).waitFor();
    await kit.look(page, 'desk-manage-views');
    await page.getByRole('button', { name: 'Delete To erase' }).click();
    await dialog.getByText('No saved views yet.').waitFor();
    expect((await client.listDsarViews({ token })).shared).toEqual({ version: 3, views: [] });
  });

  test('many requests are chosen and worked on by keyboard alone, and what was refused is told', async () => {
    const { owner, otto, ids, read, path } = await desk();
    const page = await kit.open(path, { as: owner });
    await rows(page).first().waitFor();
    const bar = page.getByRole('group', { name: 'Chosen requests' });
    expect(await bar.getByRole('button', { name: 'Start chosen' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Choose Access for lotte.janssen@example.com' }).focus();
    await page.keyboard.press('Space');
    await bar.getByText('1 chosen').waitFor();
    await bar.getByRole('checkbox', { name: 'Select all shown' }).focus();
    await page.keyboard.press('Space');
    await bar.getByText('5 chosen').waitFor();
    await kit.look(page, 'desk-chosen');
    await bar.getByRole('button', { name: 'Assign chosen' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Assign 5 requests' }).waitFor();
    await dialog.getByLabel('Person').selectOption({ label: `Otto Operator (${otto.email})` });
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('Done: 5 of 5.').waitFor();
    await bar.getByText('0 chosen').waitFor();
    expect((await read(ids[5] as string)).assignee?.user_id).toBe(otto.userId);
    await bar.getByRole('checkbox', { name: 'Select all shown' }).focus();
    await page.keyboard.press('Space');
    await bar.getByRole('button', { name: 'Start chosen' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Monday round.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('3 done, 2 not').waitFor();
    await dialog.getByText('only a created one can be started').first().waitFor();
    await kit.look(page, 'desk-outcomes');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await read(ids[0] as string)).history.at(-1)).toMatchObject({ note: 'Monday round.' });
  });

  test('many deadlines are extended with a reason, and many requests resolved with one outcome', async () => {
    const { owner, ids, read, path } = await desk();
    const page = await kit.open(`${path}?request_type=erasure`, { as: owner });
    await rows(page).nth(1).waitFor();
    const bar = page.getByRole('group', { name: 'Chosen requests' });
    await bar.getByText('Select all shown').click();
    await bar.getByRole('button', { name: 'Extend chosen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await dialog.locator('.field-error').first().waitFor();
    await dialog.getByLabel('Reason').fill('Three systems have to be searched.');
    await kit.look(page, 'desk-extend');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await page.getByText('Done: 2 of 2.').waitFor();
    await bar.getByText('Select all shown').click();
    await bar.getByRole('button', { name: 'Resolve chosen' }).click();
    await dialog.getByText('Not verified').click();
    await kit.look(page, 'desk-resolve');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('No matching request').waitFor();
    for (const id of [ids[1], ids[5]])
      expect(await read(id as string)).toMatchObject({
        ...{ resolution: 'not_verified', extension_reason: 'Three systems have to be searched.' },
        // Without a mail server no mail was asked for, so none is lost.
        undelivered: [],
      });
    const viewer = await colleague(kit.server, owner, owner.token, 'viewer');
    const hers = await kit.open(`${path}?state=all`, { as: viewer });
    await rows(hers).first().waitFor();
    expect(await hers.getByRole('checkbox').count()).toBe(0);
  });
});
