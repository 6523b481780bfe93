import { randomUUID } from 'node:crypto';
import { DsarRow, MailRow } from '../../server/src/db/models';
import { type MailContent, openContent, withSecrets } from '../../server/src/mail/content';
import { addTrigger } from '../helpers/cluster/instruments';
import { formAsked, sendForm } from '../helpers/public-pages/form';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

// Nothing is sent: that mail could be is enough.
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: MAIL });
});
afterAll(() => server?.stop());

const someone = (): string => `${randomUUID()}@visitor.example`;
const requestsOf = (email: string) => DsarRow.query(server.service.context.db).where({ email });

/** The fields of a form that a person has filled in. */
const filled = async (token: string, more: Record<string, string> = {}) => ({
  ...{ form: await formAsked(server, token), request_type: 'access', email: someone(), website: '' },
  ...more,
});

test('a form makes a request in the language of the page, whose person is asked to confirm the address', async () => {
  const { client, token } = await server.site({ languages: ['en', 'de'] });
  const fields = await filled(token, { name: ' Ada ', message: 'Zeile 1\r\nZeile 2' });
  const response = await sendForm(server, token, fields, '?lang=de');
  expect(response.status).toBe(201);
  const text = await response.text();
  expect(text).toContain('<h1>Ihre Anfrage ist eingegangen.</h1>');
  expect(text).toContain('Bitte bestätigen Sie Ihre Adresse');
  const { items } = await client.listDsar({ token });
  expect(items).toMatchObject([
    { request_type: 'access', email: fields.email, name: 'Ada', message: 'Zeile 1\nZeile 2', language: 'de' },
  ]);
  expect(items[0]?.channel).toBe('online');
  expect(text).toContain(items[0]?.request_id);
  const { items: mails } = await client.listMails({ token });
  expect(mails.map(({ kind, to }) => [kind, to])).toEqual([['request_received', fields.email]]);
});

test('everybody is told the same of the mail, also who gets none', async () => {
  const { client, token } = await server.site({ privacy_policy_url: 'https://shop.example.com/privacy' });
  const email = someone();
  const said = async () => {
    const response = await sendForm(server, token, await filled(token, { email }));
    expect(response.status).toBe(201);
    return (await response.text()).replace(/[0-9a-f-]{36}/g, 'reference');
  };
  const pages = [await said()];
  for (let n = 0; n < 6; n += 1) pages.push(await said());
  const { items } = await client.listMails({ token });
  expect(items.filter(({ state }) => state === 'withheld')).toHaveLength(2);
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toMatch(
    /The mail can take some minutes\. If none comes, your request counts all the same;/,
  );
  expect(pages[0]).toContain('href="https://shop.example.com/privacy"');
});

test('a form that is sent twice makes one request', async () => {
  const { token } = await server.site();
  const fields = await filled(token);
  const [first, second] = await Promise.all([
    sendForm(server, token, fields),
    sendForm(server, token, fields),
  ]);
  // One of them may find the other one still at it.
  expect([first.status, second.status]).toContain(201);
  expect((await sendForm(server, token, fields)).status).toBe(201);
  expect(await requestsOf(fields.email as string)).toHaveLength(1);
});

test('a form makes no second request of other words: they need a form of their own', async () => {
  const { token } = await server.site();
  const fields = await filled(token);
  expect((await sendForm(server, token, fields)).status).toBe(201);
  const changed = { ...fields, email: someone(), message: 'One thing more.' };
  const again = await sendForm(server, token, changed);
  expect(again.status).toBe(409);
  const text = await again.text();
  expect(text).toContain('role="alert">Please check your entries and send the form again.');
  expect(text).toContain('One thing more.');
  const form = /name="form" value="([^"]+)"/.exec(text)?.[1];
  expect(form).toMatch(/^[0-9a-z]{8}\./);
  expect(form).not.toBe(fields.form);
  expect(await requestsOf(changed.email)).toEqual([]);
});

test.each([
  ['sent sooner than anybody can fill it in', { ago: 0 }, {}],
  ['asked for yesterday', { ago: 86_400_000 }, {}],
  ['with a field filled in that nobody sees', { ago: 60_000 }, { website: 'https://spam.example' }],
  ['without what shows when it was asked for', { ago: 60_000 }, { form: '' }],
  ['with a forged time', { ago: 60_000 }, { form: `mifxxxxx.${'A'.repeat(22)}.${'A'.repeat(32)}` }],
])('a form %s is shown again with what was typed, and makes no request', async (_name, { ago }, more) => {
  const { token } = await server.site();
  const email = someone();
  const form = await formAsked(server, token, ago);
  const fields = { form, request_type: 'erasure', email, message: 'Please <b>delete</b>', ...more };
  const response = await sendForm(server, token, fields);
  expect(response.status).toBe(422);
  const text = await response.text();
  expect(text).toContain('role="alert"');
  expect(text).toContain(`value="${email}"`);
  expect(text).toContain('<option value="erasure" selected>');
  expect(text).toContain('Please &lt;b&gt;delete&lt;/b&gt;');
  expect(await requestsOf(email)).toEqual([]);
  // What is shown again can be sent, once somebody has looked at it.
  const again = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
  expect(again).toMatch(/^[0-9a-z]{8}\./);
});

test('a form that comes too early says so, marks nothing, and makes the request when it is sent again', async () => {
  const { token } = await server.site({ languages: ['en', 'de'] });
  const email = someone();
  const form = await formAsked(server, token, 1_000);
  const fields = { form, request_type: 'erasure', email };
  for (const [query, words] of [
    ['', 'The form was sent too quickly and is not stored yet.'],
    ['?lang=de', 'Das Formular wurde zu schnell gesendet und ist noch nicht gespeichert.'],
  ] as const) {
    const response = await sendForm(server, token, fields, query);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain(`role="alert">${words}`);
    expect(text).not.toContain('aria-invalid="true"');
    expect(text).toContain(`name="form" value="${form}"`);
  }
  const asked = Date.now();
  await until('the form is old enough', async () => Date.now() - asked > 2_500);
  expect((await sendForm(server, token, fields)).status).toBe(201);
  expect(await requestsOf(email)).toHaveLength(1);
});

test('a form of another site is none of this one', async () => {
  const [one, other] = [await server.site(), await server.site()];
  const fields = await filled(one.token);
  expect((await sendForm(server, other.token, fields)).status).toBe(422);
  expect(await requestsOf(fields.email as string)).toEqual([]);
});

test('what the contract refuses is named beside its field', async () => {
  const { token } = await server.site();
  for (const [name, value, words] of [
    ['email', 'nobody', 'Please enter a valid e-mail address.'],
    ['email', '', 'Please enter a valid e-mail address.'],
    ['request_type', 'everything', 'Please choose'],
    ['name', 'n'.repeat(201), 'Please check your entries'],
    ['message', 'm'.repeat(10_001), 'Please check your entries'],
  ] as const) {
    const fields = await filled(token, { [name]: value });
    const response = await sendForm(server, token, fields);
    expect([name, value.length, response.status]).toEqual([name, value.length, 422]);
    const text = await response.text();
    expect(text).toContain(`name="${name}" aria-invalid="true" aria-describedby="${name}-error"`);
    expect(text).toContain(`id="${name}-error">${words}`);
    expect(await requestsOf(fields.email as string)).toEqual([]);
  }
});

test('what a person wrote is not lost when it cannot be stored, and the same form makes the request later', async () => {
  const { token } = await server.site();
  await addTrigger(server.databaseUrl, {
    ...{ name: 'no_room', table: 'dsar_requests', event: 'BEFORE INSERT', condition: "NEW.name = 'Unlucky'" },
    body: "RAISE EXCEPTION 'no room' USING ERRCODE = '53100';",
  });
  const fields = await filled(token, { name: 'Unlucky', message: 'A long story.' });
  const response = await sendForm(server, token, fields);
  expect([response.status, response.headers.get('retry-after')]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
  ]);
  const text = await response.text();
  expect(text).toContain('Too many requests. Please try again later.');
  expect(text).toContain('A long story.');
  expect(text).toContain(`value="${fields.form}"`);
  expect((await sendForm(server, token, { ...fields, name: 'Lucky' })).status).toBe(201);
});

test('a body that is no form, is too large or cannot be stored is refused, and never with 5xx', async () => {
  const { token } = await server.site();
  const post = async (body: BodyInit, type: string) =>
    (
      await fetch(`${server.url}/pages/${token}/request`, {
        ...{ method: 'POST', body, headers: { 'Content-Type': type } },
      })
    ).status;
  const form = 'application/x-www-form-urlencoded';
  expect(await post('{}', 'application/json')).toBe(415);
  expect(await post(`message=${'x'.repeat(200_000)}`, form)).toBe(413);
  expect(await post('message=%00', form)).toBe(400);
  expect(await post('message=%ff%fe', form)).toBe(422);
  expect(await post('', form)).toBe(422);
  const fields = (many: number) => Array.from({ length: many }, (_, i) => `a${i}=1`).join('&');
  expect([await post(fields(100), form), await post(fields(101), form)]).toEqual([422, 400]);
  expect(await post('__proto__=1&constructor=2&form=&form=x', form)).toBe(422);
});

test('ten thousand letters of any script are taken', async () => {
  const { token } = await server.site();
  const fields = await filled(token, { message: '漢'.repeat(10_000) });
  expect((await sendForm(server, token, fields)).status).toBe(201);
  const [row] = await requestsOf(fields.email as string);
  expect(row?.message).toHaveLength(10_000);
});

/** A path in the mail that a request has caused: of the status page, unless another is wanted. */
async function statusPath(
  request_id: string,
  kind = 'request_received',
  wanted = /\/pages\/\S+/,
): Promise<string> {
  const { db, vault } = server.service.context;
  const row = await MailRow.query(db).findOne({ request_id, kind });
  const { text } = withSecrets(openContent(vault, row as MailRow) as MailContent);
  return wanted.exec(text)?.[0] ?? '';
}

test('the mailed link says what has become of the request, and nothing that anybody wrote into it', async () => {
  const { client, token } = await server.site({ languages: ['en', 'fr'] });
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: someone(), name: 'Ada', message: 'my secret', language: 'fr' },
  });
  const url = server.url + (await statusPath(request_id));
  const page = await (await fetch(url)).text();
  expect(page).toContain('<html lang="fr" dir="ltr">');
  expect(page).toContain('<dd><bdi>Reçue</bdi></dd>');
  expect(page).toContain('Veuillez confirmer votre adresse');
  expect(page).not.toMatch(/Ada|my secret|visitor\.example/);
  await client.startDsar({ token, request_id });
  await client.extendDsar({ token, request_id, body: { reason: 'Many <i>systems</i>.' } });
  const extended = await (await fetch(url)).text();
  expect(extended).toContain('<bdi>En cours</bdi>');
  expect(extended).toContain('Many &lt;i&gt;systems&lt;/i&gt;.');
  await client.resolveDsar({
    token,
    request_id,
    body: { resolution: 'refused', answer: 'Not ours.', note: 'internal' },
  });
  // A pause of the site hides nothing from the person.
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  const done = await (await fetch(url)).text();
  expect(done).toContain('<bdi>Terminée</bdi>');
  expect(done).not.toContain('internal');
  expect(done).not.toContain('En cours');
});

test('a request by letter has its day, and no address to confirm', async () => {
  const { client, token } = await server.site();
  const received_on = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const body = { request_type: 'access', channel: 'letter', received_on, email: someone() } as const;
  const { request_id } = await client.recordDsar({ token, body });
  await client.extendDsar({ token, request_id, body: { reason: 'Many systems.' } });
  const page = await (await fetch(server.url + (await statusPath(request_id, 'request_extended')))).text();
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  expect(page).toContain(`<dt>Received on</dt><dd><bdi>${day.format(new Date(received_on))}</bdi></dd>`);
  expect(page).not.toContain('Please confirm your address');
});

test('no other link shows a request, and looking at one changes nothing', async () => {
  const { client, token } = await server.site();
  const submit = () =>
    server.visitor.submitDsar({ token, body: { request_type: 'access', email: someone() } });
  const [one, other] = [await submit(), await submit()];
  const path = await statusPath(one.request_id);
  const verify = await statusPath(one.request_id, 'request_received', /\/mail\/verify\/\S+/);
  for (const bad of [
    verify.replace('/mail/verify/', '/pages/').replace(`/${one.request_id}/`, `/status/${one.request_id}/`),
    path.replace(one.request_id, other.request_id),
    `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    `${path}x`,
    path.replace('/pages/', '/mail/verify/').replace('/status/', '/'),
    path.replace(token, `env_${'0'.repeat(22)}`),
  ])
    expect([bad, (await fetch(server.url + bad)).status]).toEqual([bad, 404]);
  await fetch(server.url + path);
  const { history, email_verified_at } = await client.getDsar({ token, request_id: one.request_id });
  expect([history.length, email_verified_at]).toEqual([1, null]);
  const { items } = await client.listMails({ token, request_id: one.request_id });
  const { text, html } = await client.getMail({ token, mail_id: items[0]?.mail_id as string });
  // Members could open it, and would see no more than they do; but a link of a person is the person's.
  expect(`${text}${html}`).not.toContain(path.slice(path.lastIndexOf('/') + 1));
});
