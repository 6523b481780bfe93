import { createAvow } from '@avow/sdk';
import { tellMembers } from '../../server/src/jobs/notices';
import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const VISITOR = 'ada@visitor.example';
const FILE = { name: 'your-data.csv', mimeType: 'text/csv', buffer: Buffer.from('name,order\nAda,42\n') };

describeInBrowser('from a key to an answered request', () => {
  const { mails, options } = useMailServer();
  const kit = useConsole(options);

  /** The path of a link in the newest of so many mails to somebody. */
  async function linkIn(count: number, email: string): Promise<string> {
    const text = (await mails.until(count, email)).at(-1)?.parsed.text ?? '';
    return /https?:\/\/[^/\s]+(\/mail\/\S+)/.exec(text)?.[1] ?? `no link in: ${text}`;
  }

  test('a company exports by a key, and a visitor asks for his data and gets it; the trail shows each step', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    await kit.server.visitor.logConsent({
      token,
      body: { session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'reject_all' },
    });

    // The owner makes a key, and a program exports with it.
    const page = await kit.open('/account/keys', { as: owner });
    await page.getByRole('button', { name: 'Make a key' }).click();
    const making = page.getByRole('dialog', { name: 'Make an API key' });
    await making.getByLabel('Name').fill('nightly export');
    await making.getByRole('button', { name: 'Make the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Copy the key' });
    const apiKey = (await shown.locator('pre').textContent()) ?? '';
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    const program = createAvow({ baseUrl: kit.server.url, apiKey });
    const exported = await (await program.exportConsents({ token })).text();
    expect(exported).toContain('reject_all');

    // A visitor asks on the public form, and confirms the address by the mailed link.
    const visitor = await kit.open('/login');
    await visitor.goto(`${kit.server.url}/pages/${token}/request?lang=en`);
    await visitor.getByRole('combobox').selectOption('access');
    await visitor.locator('#email').fill(VISITOR);
    // A form that comes back sooner was sent by no person.
    await visitor.waitForTimeout(3_500);
    await visitor.getByRole('button', { name: 'Send request' }).click();
    const verify = await linkIn(1, VISITOR);
    await visitor.goto(kit.server.url + verify);
    await visitor.getByRole('button').click();
    await visitor.getByRole('link', { name: 'Status of your request' }).waitFor();

    // The owner is told, and answers with a file.
    await tellMembers(kit.server.service.context, new Date());
    const isTold = (): boolean =>
      mails.mails.some(
        ({ to, parsed }) =>
          to.includes(owner.email) && /A new data-subject request \(access\) came/.test(parsed.text ?? ''),
      );
    await until('the owner is told', isTold);
    const [request] = (await owner.client.listDsar({ token })).items;
    const { request_id } = request ?? { request_id: '' };
    expect(request).toMatchObject({ email: VISITOR, email_verified_at: expect.any(String) });
    await page.goto(`${kit.server.url}/console/sites/${token}/dsar/${request_id}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByLabel('File of the answer').setInputFiles(FILE);
    await page.getByText('The file is stored.').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const resolving = page.getByRole('dialog');
    await resolving.getByRole('textbox', { name: /^Answer/ }).fill('Here is all that we have.');
    await resolving.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();

    // The visitor opens the mailed link, proves by a code of another mail that the mailbox is his, and downloads.
    const answer = await linkIn(2, VISITOR);
    await visitor.goto(kit.server.url + answer);
    await visitor.getByRole('button', { name: 'Send me a code' }).click();
    const code =
      /\b\d[\d ]{6,}\d\b/.exec((await mails.until(3, VISITOR)).at(-1)?.parsed.text ?? '')?.[0] ?? '';
    await visitor.getByLabel('Code').fill(code);
    await visitor.getByRole('button', { name: 'Open' }).click();
    const download = visitor.waitForEvent('download');
    await visitor.getByRole('button', { name: /^Download/ }).click();
    expect(await savedText(await download)).toBe(String(FILE.buffer));

    // The trail has what members and programs did, the history what the visitor did.
    const done = (await owner.client.listAuditEvents({ token, limit: 100 })).items.map(
      ({ operation }) => operation,
    );
    expect(done).toEqual(
      expect.arrayContaining([
        'exportConsents',
        'startDsar',
        'createAnswerFile',
        'putAnswerFilePart',
        'resolveDsar',
      ]),
    );
    // A key for all sites is in the trail of the account.
    const ofAccount = (await owner.client.listAccountEvents({ limit: 100 })).items;
    expect(ofAccount.map(({ operation }) => operation)).toContain('createKey');
    const { history } = await owner.client.getDsar({ token, request_id });
    expect(history.map(({ action }) => action)).toEqual([
      ...['created', 'address verified', 'started', 'resolved: fulfilled, with an answer by mail'],
      'file downloaded',
    ]);
    await page.goto(`${kit.server.url}/console/sites/${token}/audit`);
    for (const words of [
      'Consents exported',
      'Request started',
      'File of an answer begun',
      'Request resolved',
    ])
      await page.getByRole('cell', { name: words }).first().waitFor();
  });
});
