import { randomUUID } from 'node:crypto';
import { DsarRow } from '../../server/src/db/models';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';
import { eventually } from '../helpers/until';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);

const someone = (): string => `${randomUUID()}@visitor.example`;

/** A request of a new person, and the mail that confirms it. */
async function request(token: string, more: object = {}) {
  const email = someone();
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email, ...more } as never,
  });
  const [mail] = await mailServer.until(1, email);
  return { email, request_id, mail: mail as NonNullable<typeof mail> };
}

/** The link of a mail with this beginning of its path, on the server under test. */
function linkIn({ parsed }: { parsed: { text?: string } }, kind: string): string {
  const found = new RegExp(`/mail/${kind}/\\S+`).exec(parsed.text ?? '')?.[0];
  if (found === undefined) throw new Error(`no link to /mail/${kind} in: ${parsed.text}`);
  return server.url + found;
}

/** Of the header, whose lines may be folded (RFC 5322 §2.2.3). */
function stopLink({ raw }: { raw: string }): string {
  const [, url] = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(raw.replace(/\r\n[ \t]+/g, ' ')) ?? [];
  return url ?? '';
}

const post = (url: string, fields: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

test('a site’s name that looks encoded says in a mail what it says in the console', async () => {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { name: '=?utf-8?Q?Your=0Abank?=' } });
  const { mail } = await request(token);
  expect(mail.parsed.subject).toBe('= ?utf-8?Q?Your=0Abank?=: we received your request');
  expect(mail.parsed.from?.value[0]?.name).toBe('= ?utf-8?Q?Your=0Abank?=');
});

test('whoever changes their mind all the time is heard ten times, and may always disown the request', async () => {
  const { client, token } = await server.site({ verify_requesters: true });
  const { request_id, mail } = await request(token);
  const [verify, disown] = [linkIn(mail, 'verify'), linkIn(mail, 'disown')];
  const answers: number[] = [];
  for (let n = 0; n < 8; n += 1) answers.push((await post(verify)).status, (await post(disown)).status);
  expect(answers).toEqual([...Array(10).fill(200), 404, 200, 404, 200, 404, 200]);
  const { history, identification } = await client.getDsar({ token, request_id });
  expect(history).toHaveLength(11);
  expect([history.at(-1)?.action, identification]).toEqual([
    'not made by the holder of the address',
    'pending',
  ]);
});

test('a request is confirmed by a mail whose link verifies the address, by a click and once', async () => {
  const { client, token } = await server.site({ verify_requesters: true });
  const { email, request_id, mail } = await request(token, {
    name: 'Mallory',
    message: 'Buy at evil.example',
  });
  expect(mail.parsed.subject).toBe('Example shop: we received your request');
  expect(mail.parsed.from?.value[0]).toEqual({ name: 'Example shop', address: 'avow@avow.example' });
  // A stranger may have written them.
  expect(mail.raw).not.toMatch(/Mallory|evil\.example/);
  expect(stopLink(mail)).toContain('/mail/stop/');
  const before = await client.getDsar({ token, request_id });
  expect([before.identification, before.email_verified_at]).toEqual(['pending', null]);
  const link = linkIn(mail, 'verify');
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).not.toContain('<script');
  // A program that looks at links in mails has verified nothing.
  expect((await client.getDsar({ token, request_id })).identification).toBe('pending');
  expect((await post(link)).status).toBe(200);
  expect((await post(link)).status).toBe(200);
  const after = await client.getDsar({ token, request_id });
  expect(after.identification).toBe('verified');
  expect(after.history.map(({ action }) => action)).toEqual(['created', 'address verified']);
  expect(after.due_at).toBe(before.due_at);
  expect(after.email).toBe(email);
});

test('another link verifies nothing', async () => {
  const { client, token } = await server.site();
  const one = await request(token);
  const other = await request(token);
  const link = linkIn(one.mail, 'verify');
  for (const bad of [
    link.replace(one.request_id, other.request_id),
    `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
    link.replace('/verify/', '/answer/'),
    `${link}x`,
  ])
    expect([bad, (await post(bad)).status]).toEqual([bad, 404]);
  expect((await client.getDsar({ token, request_id: other.request_id })).email_verified_at).toBeNull();
});

test('an extension is told with its reason, in the language of the request, escaped', async () => {
  const { client, token } = await server.site();
  const { email, request_id } = await request(token, { language: 'de' });
  await client.extendDsar({ token, request_id, body: { reason: 'Viele <b>Systeme</b> & Archive.' } });
  const [, mail] = await mailServer.until(2, email);
  expect(mail?.parsed.subject).toMatch(/Example shop/);
  expect(mail?.parsed.text).toContain('> Viele <b>Systeme</b> & Archive.');
  expect(mail?.parsed.html).toContain('Viele &lt;b&gt;Systeme&lt;/b&gt; &amp; Archive.');
  expect(mail?.parsed.html).toMatch(/<html lang="de"/);
});

test('what the person was told otherwise, and what a call does not want told, is not mailed', async () => {
  const { client, token } = await server.site();
  const { email, request_id } = await request(token);
  const told_on = new Date().toISOString().slice(0, 10);
  await client.extendDsar({ token, request_id, body: { reason: 'Told by telephone.', told_on } });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', mail: false } });
  const { items } = await client.listMails({ token, request_id });
  expect(items.map(({ kind, to }) => [kind, to])).toEqual([['request_received', email]]);
});

test('files of an answer: uploaded in parts, opened by link and code, downloaded, noted, and gone when reopened', async () => {
  const { client, token } = await server.site();
  const { email, request_id } = await request(token);
  const bytes = Buffer.alloc(700_000, 'personal data ');
  const file = await client.createAnswerFile({
    ...{ token, request_id },
    body: { name: 'Ihre Daten ä.csv', content_type: 'text/csv', bytes: bytes.length },
  });
  const parts = [bytes.subarray(0, 512 * 1024), bytes.subarray(512 * 1024)];
  const put = (part: number) =>
    client.putAnswerFilePart({
      ...{ token, request_id, file_id: file.file_id, part },
      body: { content: (parts[part] as Buffer).toString('base64') },
    });
  expect((await put(1)).complete).toBe(false);
  const early = client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await expect(early).rejects.toMatchObject({ status: 409 });
  expect((await put(0)).complete).toBe(true);
  const stored = await server.service.context.db('answer_file_parts').select('content');
  expect(stored.some(({ content }) => (content as Buffer).includes('personal data'))).toBe(false);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', answer: 'Here it is.' } });
  const [, answer] = await mailServer.until(2, email);
  expect(answer?.parsed.text).toContain('> Here it is.');
  const link = linkIn(answer as NonNullable<typeof answer>, 'answer');
  expect(await (await fetch(link)).text()).not.toContain('Ihre Daten');
  const wrong = await post(link, { code: '00000000' });
  expect(wrong.status).toBe(403);
  expect((await post(link, { action: 'code' })).status).toBe(200);
  const [, , codeMail] = await mailServer.until(3, email);
  const code = /^\d{8}$/m.exec(codeMail?.parsed.text ?? '')?.[0] as string;
  const opened = await (await post(link, { code })).text();
  expect(opened).toContain('Ihre Daten ä.csv');
  const download = await post(link, { code, file: file.file_id });
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; .*filename\*=UTF-8''Ihre%20Daten%20%C3%A4\.csv/,
  );
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
  await post(link, { code, file: file.file_id });
  const { history } = await client.getDsar({ token, request_id });
  const downloads = history.filter(({ action }) => action === 'file downloaded');
  expect(downloads.map(({ note }) => note)).toEqual(['Ihre Daten ä.csv']);
  // A viewer, who gets no list of the files, sees that there was one, and not its name, which may name somebody.
  const { client: viewer } = await member(server, { client, token }, 'viewer');
  const read = await viewer.getDsar({ token, request_id });
  expect(read.history).toEqual(
    history.map((one) => (one.action === 'file downloaded' ? { ...one, note: null } : one)),
  );
  const csv = await (await viewer.exportDsar({ token, format: 'csv' })).text();
  const lines = await (await viewer.exportDsar({ token, format: 'ndjson' })).text();
  for (const seen of [JSON.stringify(await viewer.listDsar({ token })), csv, lines])
    expect([seen.includes('file downloaded'), seen.includes('Ihre Daten')]).toEqual([true, false]);
  expect((await client.listAnswerFiles({ token, request_id })).items[0]?.downloads).toBe(2);
  const preview = await client.listMails({ token, request_id });
  for (const { mail_id } of preview.items) {
    const { text, html } = await client.getMail({ token, mail_id });
    expect(`${text}${html}`).not.toContain(code);
    expect(`${text}${html}`).not.toContain(link.slice(link.lastIndexOf('/') + 1));
  }
  await client.reopenDsar({ token, request_id, body: { reason: 'Something was missing.' } });
  expect((await post(link, { code })).status).toBe(404);
});

test('a code bears five wrong guesses, and five codes are sent in a day', async () => {
  const { client, token } = await server.site();
  const { email, request_id, mail } = await request(token);
  const { file_id } = await client.createAnswerFile({
    ...{ token, request_id },
    body: { name: 'a.txt', content_type: 'text/plain', bytes: 2 },
  });
  await client.putAnswerFilePart({ token, request_id, file_id, part: 0, body: { content: 'aGk=' } });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const [, answer] = await mailServer.until(2, email);
  const link = linkIn(answer as NonNullable<typeof answer>, 'answer');
  // Whoever wants no more mails gets the code that they ask for all the same.
  await post(server.url + new URL(stopLink(mail)).pathname);
  await post(link, { action: 'code' });
  const [, , codeMail] = await mailServer.until(3, email);
  const code = /^\d{8}$/m.exec(codeMail?.parsed.text ?? '')?.[0] as string;
  const other = code === '12345678' ? '12345679' : '12345678';
  // At once, as whoever guesses does it.
  const guesses = await Promise.all(Array.from({ length: 12 }, () => post(link, { code: other })));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([403]));
  const { attempts } = await server.service.context
    .db('answer_codes')
    .where({ request_id })
    .first('attempts');
  expect(attempts).toBe(5);
  expect((await post(link, { code })).status).toBe(403);
  const states: number[] = [];
  for (let n = 0; n < 5; n += 1) states.push((await post(link, { action: 'code' })).status);
  expect(states).toEqual([200, 200, 200, 200, 429]);
});

test('one click ends the mails of a site to an address, and nothing else', async () => {
  const { client, token } = await server.site();
  const { email, mail } = await request(token);
  const path = new URL(stopLink(mail)).pathname;
  const clicked = await post(`${server.url}${path}`, { 'List-Unsubscribe': 'One-Click' });
  expect(clicked.status).toBe(200);
  const { request_id } = await server.visitor.submitDsar({ token, body: { request_type: 'erasure', email } });
  const { items } = await client.listMails({ token, request_id });
  expect(items.map(({ state, to }) => [state, to])).toEqual([['withheld', null]]);
});

test('nobody is mailed more than a few times by requests of strangers', async () => {
  const { client, token } = await server.site();
  const email = someone();
  for (let n = 0; n < 8; n += 1)
    await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const { items } = await client.listMails({ token });
  const withheld = items.filter(({ state }) => state === 'withheld');
  expect([items.length, withheld.length]).toEqual([8, 3]);
  await mailServer.until(5, email);
});

test('erasing a person erases their mails', async () => {
  const { client, token } = await server.site();
  const { email, request_id } = await request(token);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await mailServer.until(2, email);
  await client.eraseSubject({ token, body: { subject: { email } } });
  expect((await client.listMails({ token })).items).toEqual([]);
});

test('a site that mails nobody mails nobody', async () => {
  const { client, token } = await server.site({ mail_requesters: false });
  await server.visitor.submitDsar({ token, body: { request_type: 'access', email: someone() } });
  expect((await client.listMails({ token })).items).toEqual([]);
});

test('a refused mail is a warning that names the request', async () => {
  const { client, token } = await server.site();
  mailServer.answers.recipient = () => [550, '5.1.1 unknown user'];
  const { request_id } = await server.visitor.submitDsar({
    ...{ token },
    body: { request_type: 'access', email: someone() },
  });
  const { items } = await eventually(
    () => client.listWarnings({ token }),
    (list) => list.items.some(({ code }) => code === 'mail_refused'),
  );
  mailServer.answers.recipient = undefined;
  const warning = items.find(({ code }) => code === 'mail_refused');
  expect(warning).toMatchObject({ subject_id: request_id, message: expect.stringContaining('unknown user') });
  const { items: mails } = await client.listMails({ token, state: 'failed' });
  expect(mails[0]).toMatchObject({ response_status: 550, request_id });
});

test('no mail leaves with a request that is rolled back', async () => {
  const { token } = await server.site();
  const email = someone();
  const bad = server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email, language: 'e' } as never,
  });
  await expect(bad).rejects.toMatchObject({ status: 400 });
  const rows = await DsarRow.query(server.service.context.db).where({ email });
  expect(rows).toEqual([]);
});
