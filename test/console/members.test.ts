import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { PASSWORD } from '../helpers/server';
import { join } from '../helpers/site/people';

jest.setTimeout(90_000);

describeInBrowser('members', () => {
  const kit = useConsole();

  test('a person is invited by a link that is shown once, sets up an account with it, and is removed again', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/members`, { as: owner });
    await page.getByRole('cell', { name: `${owner.email} (you)` }).waitFor();
    await kit.look(page, 'members');
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a person' });
    await dialog.getByLabel('E-mail address').fill('dana');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Must be an e-mail address.').waitFor();
    await kit.look(page, 'members-add');
    await dialog.getByLabel('E-mail address').fill('dana@example.com');
    await dialog.getByText('Operator').click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const handOver = page.getByRole('dialog', { name: 'Give this link to the person' });
    const link = (await handOver.locator('pre').textContent()) as string;
    expect(link).toMatch(/\/console\/setup#[\w-]{43}$/);
    await kit.look(page, 'members-link');
    await handOver.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Remove dana@example.com' }).waitFor();
    expect(await page.content()).not.toContain(link);

    const guest = await kit.open(new URL(link).pathname.replace('/console', '') + new URL(link).hash);
    await guest.getByText('Example shop invites you as operator.').waitFor();
    expect(await guest.getByLabel('E-mail address').inputValue()).toBe('dana@example.com');
    await kit.look(guest, 'invitation');
    await guest.getByLabel('Name').fill('Dana Officer');
    await guest.getByLabel('Password').fill('Password1234!');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByText('one of the passwords that are tried first').waitFor();
    await guest.getByLabel('Password').fill('staple horse correct');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByRole('link', { name: 'Example shop' }).click();
    await guest.getByRole('heading', { name: 'Example shop' }).waitFor();
    const { items } = await owner.client.listMembers({ token: owner.token });
    expect(items.find(({ email }) => email === 'dana@example.com')).toMatchObject({
      ...{ role: 'operator', status: 'active', name: 'Dana Officer' },
    });

    await page.getByRole('button', { name: 'Remove dana@example.com' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove dana@example.com?' });
    await kit.look(page, 'members-remove');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('dana@example.com was removed').waitFor();
    await guest.reload();
    await guest.getByText('There is nothing here').waitFor();
  });

  test('before an owner is removed, it is said how many webhooks they made', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const dana = await kit.server.person('Dana Officer');
    await join(owner, dana, 'owner');
    for (const url of ['https://93.184.216.34/one', 'https://93.184.216.34/two'])
      await dana.client.createWebhook({ token, body: { url, events: '*' } });
    const page = await kit.open(`/sites/${token}/members`, { as: owner });
    await page.getByRole('button', { name: `Remove ${dana.email}` }).click();
    const question = page.getByRole('alertdialog', { name: `Remove ${dana.email}?` });
    await question.getByText('They made 2 webhooks of this site.').waitFor();
    await kit.look(page, 'members-remove-webhooks');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${dana.email} was removed`).waitFor();
    const other = await kit.open(`/sites/${token}`, { as: owner });
    await other.getByText('somebody who is no longer an owner of this site').first().waitFor();
  });

  test('the last owner cannot be removed or given less, and is told so before anybody tries', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/members`, { as: owner });
    await page.getByText('The last owner').waitFor();
    await page.getByRole('button', { name: `Remove ${owner.email}` }).click();
    const removal = page.getByRole('dialog', { name: `Remove ${owner.email}?` });
    await removal.getByText('This is the last owner who can log in').waitFor();
    await kit.look(page, 'members-last-owner');
    expect(await removal.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await removal.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: `Change role of ${owner.email}` }).click();
    const role = page.getByRole('dialog', { name: `Role of ${owner.email}` });
    await role.getByText('Make somebody else an owner first').waitFor();
    expect(await role.getByRole('radio').count()).toBe(0);
  });

  test('somebody with an account accepts with it, logged in or not, and never chooses a password', async () => {
    const owner = await kit.server.site();
    const dana = await kit.server.person('Dana Officer');
    const { token } = owner;
    const invitation = await owner.client.addMember({ token, body: { email: dana.email, role: 'operator' } });
    const address = `/setup${new URL(invitation.invitation_url as string).hash}`;
    const stranger = await kit.server.person('Sam Stranger');
    const page = await kit.open(address, { as: stranger });
    await page.getByText('You are logged in as somebody else').waitFor();
    await page.getByText('Did you not create this account?').click();
    await kit.look(page, 'invitation-account');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in and accept' }).click();
    await page.getByText('The e-mail address or the password is wrong').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in and accept' }).click();
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    expect((await dana.client.getEnvironment({ token })).role).toBe('operator');
    await page.goto('about:blank');
    await page.goto(`${kit.server.url}/console${address}`);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();

    const second = await owner.client.createEnvironment({
      body: { name: 'Second', domain: 'second.example.com' },
    });
    const again = await owner.client.addMember({
      token: second.token,
      body: { email: dana.email, role: 'viewer' },
    });
    const tab = await kit.open(`/setup${new URL(again.invitation_url as string).hash}`, { as: dana });
    await tab.getByRole('button', { name: 'Accept the invitation' }).click();
    await tab.getByRole('heading', { name: 'Second' }).waitFor();
  });

  test('a lost invitation link is replaced by one that is shown once', async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const { invitation_url: lost } = await client.addMember({
      token,
      body: { email: 'gus@example.com', role: 'viewer' },
    });
    const page = await kit.open(`/sites/${token}/members`, { as: owner });
    await page.getByRole('button', { name: 'New link for gus@example.com' }).waitFor();
    expect(await page.getByRole('button', { name: `New link for ${owner.email}` }).count()).toBe(0);
    await kit.look(page, 'members-invited');
    await page.getByRole('button', { name: 'New link for gus@example.com' }).click();
    const question = page.getByRole('alertdialog', { name: 'Make a new link for gus@example.com?' });
    await kit.look(page, 'members-renew');
    await question.getByRole('button', { name: 'Make a new link' }).click();
    const handOver = page.getByRole('dialog', { name: 'Give this link to the person' });
    const link = (await handOver.locator('pre').textContent()) as string;
    expect(link).toMatch(/\/console\/setup#[\w-]{43}$/);
    expect(link).not.toBe(lost);
    await handOver.getByRole('button', { name: 'I have copied it' }).click();
    await handOver.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(link);
    const guest = await kit.open(`/setup${new URL(link).hash}`);
    await guest.getByLabel('Password').fill('staple horse correct');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByRole('link', { name: 'Example shop' }).waitFor();
    // Meanwhile the person has come: the page is told so.
    await page.getByRole('button', { name: 'New link for gus@example.com' }).click();
    await question.getByRole('button', { name: 'Make a new link' }).click();
    await question.getByText('is a member already').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New link for gus@example.com' }).waitFor({ state: 'detached' });
  });

  test('a role is changed at once; one’s own only when asked, and the page follows', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const dana = await kit.server.person('Dana Officer');
    await join({ client: owner.client, token }, dana, 'viewer');
    const page = await kit.open(`/sites/${token}/members`, { as: owner });
    await page.getByRole('button', { name: `Change role of ${dana.email}` }).click();
    const hers = page.getByRole('dialog', { name: `Role of ${dana.email}` });
    expect(await hers.getByRole('button', { name: 'Change role' }).isDisabled()).toBe(true);
    await hers.getByRole('radio', { name: /^Owner/ }).check({ force: true });
    await kit.look(page, 'members-role');
    await hers.getByRole('button', { name: 'Change role' }).click();
    await page.getByText(`${dana.email} is an owner now`).waitFor();
    expect((await dana.client.getEnvironment({ token })).role).toBe('owner');

    await page.getByRole('button', { name: `Change role of ${owner.email}` }).click();
    const own = page.getByRole('dialog', { name: `Role of ${owner.email}` });
    await own.getByRole('radio', { name: /^Viewer/ }).check({ force: true });
    await own.getByRole('button', { name: 'Change role' }).click();
    const question = page.getByRole('alertdialog', { name: 'Change your own role?' });
    await kit.look(page, 'members-own-role');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await owner.client.getEnvironment({ token })).role).toBe('owner');
    await own.getByRole('button', { name: 'Change role' }).click();
    await question.getByRole('button', { name: 'Change my role' }).click();
    await page.getByText('Only owners can add and remove people, and change roles.').waitFor();
    await own.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /Remove|Add|Change role/ }).count()).toBe(0);
  });

  test('a viewer sees who is there and can change nothing', async () => {
    const owner = await kit.server.site();
    const viewer = await kit.server.person('Vera Viewer');
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/members`, { as: viewer });
    await page.getByText('Only owners can add and remove people, and change roles.').waitFor();
    await page.getByRole('cell', { name: owner.email }).waitFor();
    expect(await page.getByRole('button', { name: /Remove|Add|Change role|New link/ }).count()).toBe(0);
  });
});
