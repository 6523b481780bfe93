import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { colleague } from '../helpers/console/roles';
import { attach, someRequest } from '../helpers/site/attachments';

jest.setTimeout(120_000);

describeInBrowser('the attachments of a request', () => {
  const kit = useConsole();

  const desk = async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const request_id = await someRequest(kit.server.visitor, token);
    return { owner, at: { token, request_id }, path: `/sites/${token}/dsar/${request_id}` };
  };

  test('are added, downloaded under their names, and deleted', async () => {
    const { owner, at, path } = await desk();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('heading', { name: 'Attachments' }).waitFor();
    const name = 'Prüfung des Ausweises.txt';
    // Two parts.
    const buffer = Buffer.alloc(600_000, 'checked. ');
    await page
      .getByLabel('Attachment', { exact: true })
      .setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.getByText('The file is stored.').waitFor();
    const files = page.getByRole('table', { name: 'Attachments' });
    await files.getByText('586 KiB').waitFor();
    await files.getByText(`by ${owner.email}`).waitFor();
    await kit.look(page, 'attachments');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${name}` }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(name);
    expect(await savedText(saved)).toBe(String(buffer));
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByText('The file is deleted.').waitFor();
    expect((await owner.client.listAttachments(at)).items).toEqual([]);
  });

  test('that are of another kind than their names say are refused with words', async () => {
    const { owner, path } = await desk();
    const page = await kit.open(path, { as: owner });
    const input = page.getByLabel('Attachment', { exact: true });
    await input.setInputFiles({ name: 'a.exe', mimeType: '', buffer: Buffer.from('MZ') });
    await page.getByText(/Files end with one of pdf, /).waitFor();
    await input.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ') });
    await page.getByText(/does not begin as application\/pdf does/).waitFor();
  });

  test('are not shown to viewers', async () => {
    const { owner, at, path } = await desk();
    await attach(owner.client, at);
    const viewer = await colleague(kit.server, owner, at.token, 'viewer');
    const page = await kit.open(path, { as: viewer });
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Attachments' }).count()).toBe(0);
  });
});
