import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { breachBody, fillBreaches, fromNow, HOUR } from '../helpers/console/desk';
import { colleague } from '../helpers/console/roles';

jest.setTimeout(120_000);

describeInBrowser('the register of breaches', () => {
  const kit = useConsole();

  const one = async (given: Parameters<typeof breachBody>[0] = {}) => {
    const owner = await kit.server.site();
    const { token } = owner;
    const { breach_id } = await owner.client.createBreach({ token, body: breachBody(given) });
    const read = () => owner.client.getBreach({ token, breach_id });
    return { owner, token, breach_id, read, path: `/sites/${token}/breaches/${breach_id}` };
  };
  const fill = async (page: Page) => {
    await page.getByLabel('Title').fill('Phishing of an employee');
    await page.getByLabel('Nature of the breach').fill('Confidentiality: a mailbox was read.');
    await page
      .getByRole('textbox', { name: 'Description' })
      .fill('A password was given away on a false page.');
  };

  test('shows each breach with its severity and its clock', async () => {
    const owner = await kit.server.site({ time_zone: 'Europe/Berlin' });
    const [, overdue] = await fillBreaches(owner, owner.token);
    const page = await kit.open(`/sites/${owner.token}/breaches`, { as: owner });
    await page.getByText('Reported in time').waitFor();
    const clock = page.getByRole('row', { name: /Order export/ }).locator('[role=timer]');
    const before = await clock.textContent();
    expect(before).toMatch(/^5[12]:\d\d:\d\d left$/);
    await page.waitForFunction(
      ([text]) => document.querySelector('[role=timer]')?.textContent !== text,
      [before],
    );
    await kit.look(page, 'breaches');
    await page.getByLabel('State').selectOption('overdue');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByRole('link', { name: /Customer accounts/ }).click();
    await page.waitForURL(`**/${overdue}`);
    await page.getByText('The 72 hours are over').waitFor();
    await kit.look(page, 'breach-overdue');
  });

  test('is filled in, left, found again as it was, and recorded', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/breaches/new`, { as: owner });
    await fill(page);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.getByRole('link', { name: 'Breaches' }).click();
    await page.getByRole('link', { name: 'Record a breach' }).click();
    await page.getByText('Your draft is still here').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Phishing of an employee');
    await page.getByRole('button', { name: 'Record' }).click();
    // What is missing is said at the fields, the first of them has the focus, and nothing was recorded.
    await page.locator('.field-error').first().waitFor();
    expect(await page.locator('.field-error').count()).toBe(1);
    expect((await owner.client.listBreaches({ token })).items).toEqual([]);
    await kit.look(page, 'breach-form');
    await page.getByLabel('Known since').fill(new Date(Date.now() - HOUR).toISOString().slice(0, 16));
    await page.getByLabel('Categories of people').fill('customers\nemployees\n');
    await page.getByLabel('Number of people').fill('1200');
    await page.getByLabel('Likely consequences').fill('Spam.');
    await page.getByLabel('Measures taken or proposed').fill('Password changed.');
    await page.getByRole('button', { name: 'Record' }).press('Enter');
    await page.getByRole('heading', { name: 'Phishing of an employee' }).waitFor();
    const { items } = await owner.client.listBreaches({ token });
    expect(items).toMatchObject([
      {
        ...{
          title: 'Phishing of an employee',
          severity: 'unknown',
          status: 'created',
          affected_subjects: 1200,
        },
        ...{ subject_categories: ['customers', 'employees'], data_categories: [], affected_records: null },
      },
    ]);
    await page.goBack();
    await page.goto(`${kit.server.url}/console/sites/${token}/breaches/new`);
    await page.getByLabel('Title').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('');
  });

  test('a dead server loses nothing of a draft', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/breaches/new`, { as: owner });
    await fill(page);
    kit.expectOutage(page);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByText('The server cannot be reached').waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: '← Breaches' }).click();
    await page.unroute('**/api/**');
    await page.getByRole('link', { name: 'Record a breach' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Phishing of an employee');
  });

  test('two people who change different facts do not undo each other', async () => {
    const { owner, token, breach_id, read, path } = await one();
    const page = await kit.open(`${path}/edit`, { as: owner });
    await page.getByLabel('Number of people').fill('999');
    await owner.client.updateBreach({ token, breach_id, body: { consequences: 'Worse than thought.' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The breach is saved.').waitFor();
    expect(await read()).toMatchObject({
      ...{ affected_subjects: 999, consequences: 'Worse than thought.' },
      history: [{}, {}, { action: 'updated', note: 'affected_subjects' }],
    });
    await page.getByText('Worse than thought.').waitFor();
    await kit.look(page, 'breach');
  });

  test('is reported by keyboard alone, with authority and reference', async () => {
    const { owner, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Mark as reported' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await kit.look(page, 'breach-report');
    await page.getByLabel('Supervisory authority').focus();
    await page.keyboard.type('HmbBfDI');
    await page.keyboard.press('Tab');
    await page.keyboard.type('DS-2026-0500');
    await page.keyboard.press('Enter');
    await page.getByText('The breach is marked as reported.').waitFor();
    expect(await read()).toMatchObject({
      ...{ status: 'reported', authority: 'HmbBfDI', authority_reference: 'DS-2026-0500', late_reason: null },
    });
    await page.getByRole('button', { name: 'Mark as reported' }).waitFor({ state: 'detached' });
    await page.getByText('Reported in time').waitFor();
  });

  test('a late report asks for the reason, at its field too', async () => {
    const { owner, read, path } = await one({ aware_at: fromNow(-80 * HOUR) });
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Mark as reported' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why it is late').waitFor();
    await dialog.getByRole('button', { name: 'Mark as reported' }).click();
    await dialog
      .locator('.field-error')
      .getByText(/72 hours ended/)
      .waitFor();
    await dialog.getByLabel('Why it is late').fill('The supplier told us late.');
    await dialog.getByRole('button', { name: 'Mark as reported' }).press('Enter');
    await page.getByText('Reported late').waitFor();
    expect(await read()).toMatchObject({ late_reason: 'The supplier told us late.' });
  });

  test('when another operator was faster, it says so and keeps what was typed', async () => {
    const { owner, token, breach_id, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Mark as reported' }).click();
    await page.getByLabel('Reference of the authority').fill('DS-1');
    await owner.client.reportBreach({ token, breach_id, body: { authority: 'BfDI' } });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Mark as reported' }).click();
    await dialog.getByText('Somebody else has changed this').waitFor();
    await dialog.getByText(/It has been reported .* to BfDI/).waitFor();
    expect(await page.getByLabel('Reference of the authority').inputValue()).toBe('DS-1');
  });

  test('an operator may write, a viewer may not', async () => {
    const { owner, token, path } = await one({ title: 'A <b>bold</b> title' });
    const [operator, viewer] = [
      await colleague(kit.server, owner, token, 'operator'),
      await colleague(kit.server, owner, token, 'viewer'),
    ];
    const theirs = await kit.open(path, { as: operator });
    await theirs.getByRole('button', { name: 'Mark as reported' }).waitFor();
    const page = await kit.open(path, { as: viewer });
    await page.getByRole('heading', { name: 'A <b>bold</b> title' }).waitFor();
    await page.getByText('Only operators and owners can change breaches.').waitFor();
    expect(await page.getByRole('button', { name: 'Mark as reported' }).count()).toBe(0);
    await page.goto(`${kit.server.url}/console${path}/edit`);
    await page.getByText('Your role does not allow this').waitFor();
    await kit.look(page, 'breach-forbidden');
  });
});
