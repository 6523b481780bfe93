import { OF_ACCOUNT, OF_SITE } from '../../server/console/src/pages/audit/names';
import { systemUser } from '../../server/src/config/system-user';
import { auditCommand } from '../../server/src/services/audit';
import { audited } from '../helpers/audit/prepared';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { PASSWORD } from '../helpers/server';
import { join, member } from '../helpers/site/people';
import { until } from '../helpers/until';
import { INWARD } from '../helpers/webhooks/receiver';

jest.setTimeout(120_000);

test('every operation that can be in the trail of a site, or of an account, has a name that people read', () => {
  const ofSite = audited.filter(({ hasToken, id }) => hasToken && id !== 'deleteEnvironment');
  expect(ofSite.map(({ id }) => id).filter((id) => !(id in OF_SITE))).toEqual([]);
  const all = { ...OF_SITE, ...OF_ACCOUNT };
  expect(audited.map(({ id }) => id).filter((id) => !(id in all))).toEqual([]);
});

describeInBrowser('the audit trail', () => {
  const kit = useConsole({ variables: { ...INWARD } });

  /** A site that several people and a program have changed. */
  async function busySite() {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const colleague = await kit.server.person('Dana Officer');
    await join(owner, colleague, 'owner');
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, layout: 'bar' as const };
    await client.updateEnvironment({ token, body: { settings: { banner } } });
    const long = 'All visitors are asked anew, and this measure was written at length. '.repeat(4);
    await colleague.client.updateEnvironment({
      token,
      body: {
        name: 'Harbour Books',
        settings: { consent_lifetime_days: 90, security_measures: [long], enforce_origin: true },
      },
    });
    await client.createWebhook({
      token,
      body: { url: 'http://127.0.0.1:9/hook', events: '*', headers: { 'X-Key': 'one' } },
    });
    await colleague.client.exportConsents({ token, format: 'csv', from: '2026-11-01' });
    return { owner, token, colleague };
  }

  test('shows who changed what, before and after, filters, and saves a file', async () => {
    const { owner, token } = await busySite();
    const page = await kit.open(`/sites/${token}/audit`, { as: owner });
    await page.getByRole('cell', { name: 'Consents exported' }).waitFor();
    const change = page.getByRole('row').filter({ hasText: 'Banner › Layout' });
    expect(await change.locator('del').textContent()).toBe('box');
    expect(await change.locator('ins').textContent()).toBe('bar');
    const settings = page.getByRole('row').filter({ hasText: 'Site or settings changed' }).first();
    await settings.getByText('4 fields').click();
    await page.getByText('Consent lifetime days').waitFor();
    await kit.look(page, 'audit');
    const rows = () => page.getByRole('table', { name: 'Audit trail' }).getByRole('row').count();
    await page.getByLabel('Kind').selectOption('Exports');
    await until('only the export is left', async () => (await rows()) === 2);
    expect(page.url()).toContain('kind=export');
    await kit.look(page, 'audit-filtered');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByLabel('Who')
      .selectOption({ label: 'Dana Officer, '.concat((await colleagueOf(token)) ?? '') });
    await until('only those of one person are left', async () => (await rows()) === 4);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  });

  const colleagueOf = async (token: string): Promise<string | undefined> => {
    const { db } = kit.server.service.context;
    const row = await db('members')
      .join('users', 'users.id', 'members.user_id')
      .join('environments', 'environments.id', 'members.environment_id')
      .where({ token, 'users.name': 'Dana Officer' })
      .first('email');
    return row?.email;
  };

  test('is for owners', async () => {
    const owner = await kit.server.site();
    const viewer = await member(kit.server, owner, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/audit`, { as: viewer });
    await page.getByText('Only owners see who changed or exported what').waitFor();
  });

  test('of an account: log-ins, also refused ones, and what whoever runs the server did', async () => {
    const person = await kit.server.person();
    const logIn = (password: string) =>
      kit.server.visitor.login({ body: { email: person.email, password } }).catch(() => undefined);
    await logIn('wrong horse battery');
    await logIn(PASSWORD);
    await until('both are noted', async () => (await person.client.listAccountEvents()).items.length === 2);
    const accountId = person.userId;
    await auditCommand(kit.server.service.context.db, 'owner enable', { accountId });
    const page = await kit.open('/account', { as: person });
    await page.getByRole('link', { name: 'What happened to your account' }).click();
    await page.getByText(`as ${systemUser()} on the server`).waitFor();
    await page.getByText('Log-in refused: wrong password').waitFor();
    await page.getByText('Logged in', { exact: true }).first().waitFor();
    await kit.look(page, 'account-audit');
  });
});
