import { describeInBrowser } from '../helpers/browser/browser';
import { type ConsoleKit, useConsole } from '../helpers/console/console';
import { useMailServer } from '../helpers/mail/use-mail-server';

jest.setTimeout(120_000);

/** A request of a new site, and where its page is. */
async function one(kit: ConsoleKit) {
  const owner = await kit.server.site();
  const { client, token } = owner;
  const email = 'jules@example.com';
  const ask = () => kit.server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const { request_id } = await ask();
  const read = () => client.getDsar({ token, request_id });
  return { owner, client, ask, at: { token, request_id }, read, list: `/sites/${token}/dsar` };
}

describeInBrowser('answers where no mail server is configured', () => {
  const kit = useConsole();

  test('the owner is told to hand the answer over, and what was told is kept', async () => {
    const { owner, read, at, list } = await one(kit);
    const page = await kit.open(`${list}/${at.request_id}`, { as: owner });
    await page.getByText('Nobody can fetch files of the answer').waitFor();
    expect(await page.getByLabel('File of the answer').count()).toBe(0);
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No mail server is configured').waitFor();
    const mail = dialog.getByRole('switch', { name: /Mail the answer/ });
    expect([await mail.isDisabled(), await mail.isChecked()]).toEqual([true, false]);
    await dialog.getByRole('textbox', { name: 'Answer' }).fill('All that we have.');
    await kit.look(page, 'request-not-mailed');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Nothing is mailed to the person.').waitFor();
    await page.getByText('All that we have.').waitFor();
    expect(await read()).toMatchObject({ answer: 'All that we have.', undelivered: [] });
    await page.getByRole('link', { name: 'Print or export the case' }).click();
    await page.getByRole('heading', { name: 'Outcome' }).waitFor();
    await page.getByText('All that we have.').waitFor();
  });

  test('an answer that reached nobody is on the page of the request, and a warning', async () => {
    const { owner, client, at, list } = await one(kit);
    await client.resolveDsar({ ...at, body: { resolution: 'fulfilled' } });
    const page = await kit.open(list.replace(/\/dsar$/, ''), { as: owner });
    await page.getByRole('link', { name: 'Answer in another way' }).click();
    await page.getByText('The answer reached nobody').waitFor();
    await kit.look(page, 'request-undelivered');
  });
});

describeInBrowser('a request whose confirmation was not sent', () => {
  const kit = useConsole();

  test('says so on its page, in its case and as a warning, and what to do', async () => {
    const { owner, client, at, list } = await one(kit);
    await client.updateEnvironment({ token: at.token, body: { settings: { verify_requesters: true } } });
    const page = await kit.open(list.replace(/\/dsar$/, ''), { as: owner });
    await page.getByRole('link', { name: 'Identify in another way' }).click();
    await page.getByText('The person was not mailed the link that confirms the address').waitFor();
    await page.getByText('identify them in another way, such as by').waitFor();
    await kit.look(page, 'request-unconfirmed');
    await page.getByRole('link', { name: 'Print or export the case' }).click();
    await page.getByText('Confirmation not delivered').waitFor();
  });
});

describeInBrowser('reasons of a refusal', () => {
  const { options } = useMailServer();
  const kit = useConsole(options);

  test('are asked for at their field, of one request and of many', async () => {
    const { owner, read, ask, at, list } = await one(kit);
    const page = await kit.open(`${list}/${at.request_id}`, { as: owner });
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Refused').click();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.locator('.field-error').waitFor();
    const answer = dialog.getByRole('textbox', { name: 'Answer' });
    expect(await answer.evaluate((field) => field === document.activeElement)).toBe(true);
    await answer.fill('Manifestly unfounded.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();
    expect(await read()).toMatchObject({ resolution: 'refused', answer: 'Manifestly unfounded.' });
    const { request_id } = await ask();
    await page.goto(`${kit.server.url}/console${list}`);
    const bar = page.getByRole('group', { name: 'Chosen requests' });
    await bar.getByText('Select all shown').click();
    await bar.getByRole('button', { name: 'Resolve chosen' }).click();
    await dialog.getByText('Refused').click();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.locator('.field-error').waitFor();
    await dialog.getByRole('textbox', { name: 'Answer' }).fill('Excessive.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Done: 1 of 1.').waitFor();
    const { client, token } = owner;
    expect((await client.getDsar({ token, request_id })).answer).toBe('Excessive.');
  });
});
