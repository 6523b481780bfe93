import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { colleague } from '../helpers/console/roles';

jest.setTimeout(120_000);

describeInBrowser('templates of answers', () => {
  const kit = useConsole();

  test('a template is copied from a built-in one, changed and used in an answer', async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const operator = await colleague(kit.server, owner, token, 'operator');
    const page = await kit.open(`/sites/${token}/dsar`, { as: operator });
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByText('No templates yet.').waitFor();
    await kit.look(page, 'templates');
    await page.getByRole('link', { name: 'Copy of the data' }).click();
    await page.getByText('With this answer you get a copy').waitFor();
    await page.getByRole('link', { name: 'Copy it' }).click();
    await page.getByLabel('Name').fill('For customers');
    await page.getByLabel('Text').fill('Hello {nmae},');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('unknown placeholder {nmae}').waitFor();
    await kit.look(page, 'template');
    await page.getByLabel('Text').fill('Hello {name}, your reference is {reference}.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The template is saved.').waitFor();
    await page.getByRole('table', { name: 'Your templates' }).getByText('For customers').waitFor();

    const { request_id } = await kit.server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email: 'jules@example.com', language: 'fr' },
    });
    await page.goto(`${kit.server.url}/console/sites/${token}/dsar/${request_id}`);
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Begin with a template').selectOption('For customers (English)');
    await dialog.getByRole('button', { name: 'Fill in' }).click();
    await dialog.getByText('The person wants an answer in French; this text is in English.').waitFor();
    await dialog.getByText('The request does not say: name.').waitFor();
    await kit.look(page, 'template-filled');
    const answer = dialog.getByRole('textbox', { name: 'Answer' });
    expect(await answer.inputValue()).toBe(`Hello , your reference is ${request_id}.`);
    await answer.fill('Hello Jules.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();
    expect((await client.getDsar({ token, request_id })).answer).toBe('Hello Jules.');

    await page.goto(`${kit.server.url}/console/sites/${token}/dsar/templates`);
    await page.getByRole('link', { name: 'For customers' }).click();
    await page.getByLabel('Language').fill('fr');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'French' }).waitFor();
    await page.getByRole('link', { name: 'For customers' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No templates yet.').waitFor();
  });

  test('a viewer reads templates', async () => {
    const owner = await kit.server.site();
    const viewer = await colleague(kit.server, owner, owner.token, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/dsar/templates/builtin-erasure`, { as: viewer });
    await page.getByText('We have erased the personal data').waitFor();
    expect(await page.getByRole('link', { name: 'Copy it' }).count()).toBe(0);
    await kit.look(page, 'template-builtin');
  });
});
