import { randomUUID } from 'node:crypto';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';

jest.setTimeout(90_000);

const SECTIONS = ['site', 'categories', 'policy', 'retention', 'controller', 'measures', 'activities'];

describeInBrowser('settings', () => {
  const kit = useConsole();

  test('every section is legible in every window', async () => {
    const owner = await kit.server.site({
      controller: { name: 'Example Ltd', email: 'privacy@example.com' },
      security_measures: ['Encryption of connections (TLS)', 'Access by role'],
      processing_activities: [
        {
          ...{ name: 'Newsletter', purposes: ['Information about new books'], lawful_basis: 'consent' },
          ...{
            subject_categories: ['Readers'],
            data_categories: ['E-mail address'],
            recipients: ['Mail provider'],
          },
          last_review: '2026-03-01T09:00:00.000Z',
        },
      ],
    });
    const page = await kit.open(`/sites/${owner.token}/settings`, { as: owner });
    for (const section of SECTIONS) {
      await page.goto(`${kit.server.url}/console/sites/${owner.token}/settings/${section}`);
      await page.getByRole('button', { name: 'Save' }).waitFor();
      await kit.look(page, `settings-${section}`);
    }
  });

  test('what is wrong is said at its field, and what was typed stays', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/controller`, { as: owner });
    await page.getByLabel('Name of the controller').fill('Example Ltd');
    await page.getByLabel('E-mail address of the officer').fill('not an address');
    await page.getByRole('button', { name: 'Save' }).click();
    const field = page.getByLabel('E-mail address of the officer');
    await page.getByText('Must be an e-mail address.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await kit.look(page, 'settings-wrong');
    await field.fill('dpo@example.com');
    await page.getByLabel('Name of the officer').fill('Dana Officer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Controller and DPO: saved').waitFor();
    const { settings, settings_version } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings.controller).toEqual({
      name: 'Example Ltd',
      dpo: { name: 'Dana Officer', email: 'dpo@example.com' },
    });
    expect(settings_version).toBe(2);
  });

  test('leaving a section with changes asks first', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/measures`, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Encryption\n\n  Backups  ');
    await page.getByRole('link', { name: 'Retention' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByRole('textbox', { name: 'Measures' }).inputValue()).toContain('Backups');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Security measures: saved').waitFor();
    await page.getByRole('link', { name: 'Retention' }).click();
    await page.getByRole('heading', { name: 'Retention' }).waitFor();
    const { settings } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings.security_measures).toEqual(['Encryption', 'Backups']);
  });

  test('a category is added and a wrong key is named at its field', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/categories`, { as: owner });
    await page.getByRole('button', { name: 'Add a category' }).click();
    const group = page.getByRole('group', { name: 'category 5' });
    await group.getByLabel('Key').fill('Social media');
    await page.getByRole('group', { name: 'Social media' }).getByLabel('Name').fill('Social media');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be a lower-case category key such as analytics.').waitFor();
    await page.getByRole('group', { name: 'Social media' }).getByLabel('Key').fill('social');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Categories: saved').waitFor();
    const { settings } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings.categories.at(-1)).toEqual({
      key: 'social',
      name: 'Social media',
      description: '',
      required: false,
    });
  });

  test('a viewer reads the settings and can change none', async () => {
    const owner = await kit.server.site();
    const viewer = await kit.server.person('Vera Viewer');
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/settings`, { as: viewer });
    await page.getByText('Only owners can change settings').waitFor();
    expect(await page.getByLabel('Domain', { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await kit.look(page, 'settings-viewer');
  });

  test('a retention that would delete much waits for the owner, who sees what goes', async () => {
    const owner = await kit.server.site({ retention_days: { consents: 30, events: 90 } });
    const { db } = kit.server.service.context;
    const { id } = await db('environments').where({ token: owner.token }).first('id');
    const form = (age: number) => ({
      ...{ environment_id: id, form_consent_id: randomUUID(), form_id: 'newsletter', external_id: 'x' },
      ...{ form_url: 'https://shop.example.com/', statements: '[]', double_opt_in: 'none', language: 'en' },
      ...{ ip_masked: '203.0.***.***', recorded_at: new Date(Date.now() - age * 86_400_000) },
    });
    await db('form_consents').insert(Array.from({ length: 90 }, (_, age) => form(age)));
    const page = await kit.open(`/sites/${owner.token}/settings/retention`, { as: owner });
    await page.getByText(/^60 form consents from before/).waitFor();
    await kit.look(page, 'settings-retention-held');
    await page.getByRole('button', { name: 'Allow the deletion' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Delete 60 records?').waitFor();
    await kit.look(page, 'settings-retention-asking');
    await dialog.getByRole('button', { name: 'Allow the deletion' }).click();
    await page.getByText(/An owner allows it to delete up to 83 records/).waitFor();
    const plan = await owner.client.getRetentionPlan({ token: owner.token });
    expect(plan).toMatchObject({ records: 60, held: false, allowed: { records: 83 } });
  });
});
