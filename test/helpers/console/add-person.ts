import type { Page } from 'playwright-core';

/** Asks for what needs a proof of who is there, on the page of a site's members. */
export async function addPerson(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('E-mail address').last().fill('someone@example.com');
  await page
    .getByRole('button', { name: /^(Add|Invite)/ })
    .last()
    .click();
}
