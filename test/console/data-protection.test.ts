import { randomUUID } from 'node:crypto';
import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { breachBody, fromNow, HOUR } from '../helpers/console/desk';
import { colleague } from '../helpers/console/roles';
import { submit } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

describeInBrowser('what a data-protection officer does', () => {
  const kit = useConsole();

  test('a breach is recorded with little, judged to need no report, and reopened', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/breaches/new`, { as: owner });
    await page.getByLabel('Title').fill('A laptop is missing');
    await page.getByLabel('Known since').fill(new Date(Date.now() - HOUR).toISOString().slice(0, 16));
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByText('Still missing').waitFor();
    await kit.look(page, 'breach-begun');
    await page.getByRole('button', { name: 'Need not be reported' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why a risk is unlikely').fill('The disk was encrypted.');
    await dialog.getByRole('button', { name: 'Need not be reported' }).click();
    await page.getByRole('heading', { name: 'Why it need not be reported' }).waitFor();
    expect(await page.locator('[role=timer]').count()).toBe(0);
    await kit.look(page, 'breach-not-reportable');
    await page.getByRole('link', { name: '← Breaches' }).click();
    await page.getByLabel('State').selectOption('not_reportable');
    await page.getByRole('row', { name: /A laptop is missing.*Need not be reported/ }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export NDJSON' }).click();
    const line = await savedText(await saved);
    expect(JSON.parse(line)).toMatchObject({ not_reportable_reason: 'The disk was encrypted.' });
    await page.getByRole('link', { name: 'A laptop is missing' }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByLabel('What has changed').fill('The key was with it.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('The authority must be notified').waitFor();
    const { items } = await owner.client.listBreaches({ token });
    expect(items[0]).toMatchObject({ status: 'created', not_reportable_reason: null });
  });

  test('a breach that needs no report is no warning of the overview', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const body = breachBody({ title: 'Lost key', aware_at: fromNow(-100 * HOUR) });
    const { breach_id } = await owner.client.createBreach({ token, body });
    await owner.client.markBreachNotReportable({ token, breach_id, body: { reason: 'Encrypted.' } });
    const page = await kit.open(`/sites/${token}`, { as: owner });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByText(/Nothing/)
      .first()
      .waitFor();
    expect(await page.getByText(/72 hours/).count()).toBe(0);
  });

  test('a letter is recorded with the day that it came', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/dsar`, { as: owner });
    await page.getByRole('link', { name: 'Record a request' }).click();
    await page.getByLabel('Received on').fill('2026-01-30');
    await page.getByLabel('Name').fill('Ada Jones');
    await kit.look(page, 'request-form');
    await page.getByRole('button', { name: 'Record' }).click();
    await page
      .locator('.field-error')
      .getByText(/where to send the answer/)
      .waitFor();
    await page.getByLabel('Postal address').fill('12 Harbour Street, Hamburg');
    await page.getByRole('button', { name: 'Record' }).press('Enter');
    await page.getByRole('heading', { name: 'Access for Ada Jones' }).waitFor();
    await page.getByText('By letter').waitFor();
    const { items } = await owner.client.listDsar({ token });
    expect(items).toMatchObject([{ received_on: '2026-01-30', due_at: '2026-02-28T23:59:59.999Z' }]);
  });

  test('an owner erases a person: what there is, the question, and what was done', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const session_id = randomUUID();
    await kit.server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
    const { request_id } = await submit(kit.server, token, { email: 'ada@example.com', session_id });
    const path = `/sites/${token}/dsar/${request_id}`;
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Erase a person' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('ada@example.com');
    // The request came from a page, which may name anybody's session.
    expect(await dialog.getByLabel('Id from the banner').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'See what there is' }).click();
    await dialog.getByText('Mails about requests: 1').waitFor();
    await dialog.getByText('Consent records: 1').waitFor();
    await dialog.getByText(session_id).click();
    await dialog.getByText('To be erased:').waitFor();
    await kit.look(page, 'erase-person');
    expect((await owner.client.listConsents({ token })).items).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await dialog.getByText('What was erased:').waitFor();
    await dialog.getByText(/still open/).waitFor();
    expect((await owner.client.listConsents({ token })).items).toEqual([]);
    const operator = await colleague(kit.server, owner, token, 'operator');
    const theirs = await kit.open(path, { as: operator });
    await theirs.getByRole('button', { name: 'Resolve' }).waitFor();
    expect(await theirs.getByRole('button', { name: 'Erase a person' }).count()).toBe(0);
  });

  test('a record is found by the beginning of the id that the visitor reads out', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const [session_id, other] = [randomUUID(), randomUUID()];
    for (const id of [session_id, other])
      await kit.server.visitor.logConsent({ token, body: { session_id: id, decision: 'accept_all' } });
    const page = await kit.open(`/sites/${token}/consents`, { as: owner });
    await page.getByLabel('Session or record id').fill(session_id.slice(0, 8));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByText(session_id).waitFor();
  });

  test('a shorter retention asks first, a longer one does not', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const days = async () => (await owner.client.getEnvironment({ token })).settings.retention_days.consents;
    const page = await kit.open(`/sites/${token}/settings/retention`, { as: owner });
    await page.getByLabel('Consent records').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('30 days').waitFor();
    await kit.look(page, 'retention-asks');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await days()).toBe(1825);
    await page.getByRole('button', { name: 'Save' }).click();
    await question.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Retention: saved').waitFor();
    expect(await days()).toBe(30);
    await page.getByLabel('Consent records').fill('400');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Retention: saved').last().waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  test('colours that are hard to read ask first: less than 3 to 1', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await page.getByRole('textbox', { name: 'Text', exact: true }).first().fill('#959595');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/The text is hard to read/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const colours = async () => (await owner.client.getEnvironment({ token })).settings.banner.colours;
    expect((await colours()).text).not.toBe('#959595');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Banner saved').waitFor();
    expect((await colours()).text).toBe('#959595');
    await page.getByRole('textbox', { name: 'Text', exact: true }).first().fill('#949494');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('it is saved', async () => (await colours()).text === '#949494');
    expect(await question.count()).toBe(0);
  });

  test('a site is exported, archived, and deleted by its name', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const { name } = await owner.client.getEnvironment({ token });
    await kit.server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email: 'jules@example.com' },
    });
    const page = await kit.open(`/sites/${token}/settings/ending`, { as: owner });
    await page.getByRole('group', { name: 'Breaches' }).waitFor();
    await kit.look(page, 'settings-ending');
    const saved = page.waitForEvent('download');
    await page.getByRole('group', { name: 'Breaches' }).getByRole('button', { name: 'Export CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^breaches-.*\.csv$/);
    const remove = page.getByRole('button', { name: 'Delete the site' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Archive the site' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('The site is archived.').waitFor();
    await remove.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the site').fill(`${name}?`);
    const whatIsOpen = dialog.getByRole('checkbox', { name: /Delete open requests and breaches, too/ });
    await whatIsOpen.waitFor({ state: 'attached' });
    expect(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
    await whatIsOpen.check({ force: true });
    await kit.look(page, 'settings-ending-open');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await dialog.locator('.field-error').waitFor();
    expect((await owner.client.getEnvironment({ token })).status).toBe('archived');
    await dialog.getByLabel('Name of the site').fill(name);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('The site is deleted.').waitFor();
    await expect(owner.client.getEnvironment({ token })).rejects.toMatchObject({ status: 404 });
  });

  test('a grade that is held down says by what', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/score`, { as: owner });
    await page.route('**/compliance-score', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      Object.assign(body.data, { score: 96, grade: 'D', capped_by: 'nothing_before_consent' });
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await page.getByText(/The grade cannot be better than D until/).waitFor();
  });
});
