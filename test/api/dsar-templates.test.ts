import { BUILTIN_TEMPLATES } from '../../server/src/domain/answers/builtin';
import { PLACEHOLDERS, placeholdersIn } from '../../server/src/domain/answers/placeholders';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });

const ACCESS = {
  name: 'Copy for customers',
  request_type: 'access' as const,
  language: 'en',
  text: 'Hello {name},\n\n{type} of {received}, reference {reference}, due {due}.\n\n{controller} for {site}',
};

async function request(body: object = {}, settings?: object) {
  const site = await server.site(settings);
  const { request_id } = await server.visitor.submitDsar({
    token: site.token,
    body: { request_type: 'access', email: 'ada@example.com', ...body },
  });
  const textOf = (template_id?: string) =>
    site.client.getAnswerText({ token: site.token, request_id, ...(template_id && { template_id }) });
  const make = (more: object = {}) =>
    site.client.createAnswerTemplate({ token: site.token, body: { ...ACCESS, ...more } });
  return { ...site, request_id, textOf, make };
}

test('there is a built-in template for each type of request, with known placeholders only', async () => {
  const { client, token } = await server.site();
  const { items } = await client.listAnswerTemplates({ token });
  expect(items).toEqual(BUILTIN_TEMPLATES);
  expect(new Set(items.map(({ request_type }) => request_type)).size).toBe(9);
  for (const { request_type, template_id, text } of items) {
    expect(template_id).toBe(`builtin-${request_type}`);
    for (const name of placeholdersIn(text)) expect(PLACEHOLDERS).toContain(name);
    expect(text.length).toBeLessThan(5_000);
  }
});

test('whoever works on requests makes, changes and deletes templates, and each change is in the trail', async () => {
  const { client, token, make, ...site } = await request();
  const operator = await member(server, { client, token }, 'operator');
  const made = await operator.client.createAnswerTemplate({ token, body: ACCESS });
  expect(made).toMatchObject({ ...ACCESS, builtin: false, version: 1 });
  const { template_id } = made;
  const changed = await client.updateAnswerTemplate({
    ...{ token, template_id },
    body: { name: 'Another name', expected_version: 1 },
  });
  expect(changed).toMatchObject({ ...ACCESS, name: 'Another name', version: 2 });
  const late = { name: 'A third', expected_version: 1 };
  await expect(client.updateAnswerTemplate({ token, template_id, body: late })).rejects.toMatchObject({
    status: 409,
  });
  // A repeated request succeeds.
  const again = { name: 'Another name', expected_version: 1 };
  expect(await client.updateAnswerTemplate({ token, template_id, body: again })).toEqual(changed);
  const { items } = await client.listAnswerTemplates({ token, request_type: 'access' });
  expect(items.map((one) => one.template_id)).toEqual([template_id, 'builtin-access']);
  expect(await client.deleteAnswerTemplate({ token, template_id })).toEqual({ template_id });
  await expect(client.deleteAnswerTemplate({ token, template_id })).rejects.toMatchObject({ status: 404 });
  const events = (await client.listAuditEvents({ token })).items.map(({ operation }) => operation);
  expect(events.filter((operation) => operation.endsWith('AnswerTemplate'))).toEqual([
    ...['deleteAnswerTemplate', 'updateAnswerTemplate', 'createAnswerTemplate'],
  ]);
  // A viewer reads them.
  const viewer = await member(server, { client, token }, 'viewer');
  await viewer.client.getAnswerText({ token, request_id: site.request_id });
  await expect(viewer.client.createAnswerTemplate({ token, body: ACCESS })).rejects.toMatchObject({
    status: 403,
  });
});

test.each([
  ['an unknown placeholder', 'Hello {nmae}', 'unknown placeholder {nmae}'],
  ['too many placeholders', '{site}'.repeat(21), 'at most 20'],
])('%s is refused', async (_, text, message) => {
  const { make } = await request();
  await expect(make({ text })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'body.text', message: expect.stringContaining(message) }],
  });
});

test('a site has at most a hundred', async () => {
  const { client, token, make } = await request();
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const { created_at, updated_at, ...row } = {
    ...{ environment_id, ...ACCESS, version: 1, created_at: new Date(), updated_at: new Date() },
  };
  const ids = Array.from(
    { length: 100 },
    (_, at) => `01934d2e-7c1d-7a6e-9b59-${String(at).padStart(12, '0')}`,
  );
  await db('answer_templates').insert(
    ids.map((template_id) => ({ ...row, template_id, created_at, updated_at })),
  );
  await expect(make()).rejects.toMatchObject({ status: 409 });
  expect((await client.listAnswerTemplates({ token })).items).toHaveLength(109);
});

test('placeholders are filled as plain text, in the language of the template', async () => {
  const settings = { time_zone: 'Europe/Berlin', controller: { name: 'Example Ltd' } };
  const { request_id, textOf, make, client, token } = await request(
    // What a stranger calls themselves is neither a placeholder nor a line of its own.
    { name: '<b>{site}</b>\n\nPay\u202e here', language: 'de' },
    settings,
  );
  const { created_at } = await client.getDsar({ token, request_id });
  const day = (language: string, days = 0) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'Europe/Berlin' }).format(
      new Date(Date.parse(created_at) + days * 86_400_000),
    );
  const english = await make();
  expect((await textOf(english.template_id)).text).toBe(
    `Hello <b>{site}</b> Pay here,\n\nAccess to your data of ${day('en-GB')}, reference ${request_id}, due ${day('en-GB', 30)}.\n\nExample Ltd for Example shop`,
  );
  const german = await make({ language: 'de', text: '{type}: {received}' });
  expect(await textOf(german.template_id)).toMatchObject({
    text: `Auskunft über Ihre Daten: ${day('de')}`,
    ...{ language: 'de', other_language: false, missing: [] },
  });
});

test('the template in the language of the request is used, then one in English, which is said', async () => {
  const { textOf, make } = await request({ language: 'de-AT' });
  expect(await textOf()).toMatchObject({
    ...{ template_id: 'builtin-access', language: 'en', wanted_language: 'de-AT', other_language: true },
  });
  const french = await make({ language: 'fr' });
  expect((await textOf()).template_id).toBe('builtin-access');
  const english = await make();
  expect((await textOf()).template_id).toBe(english.template_id);
  const german = await make({ language: 'de', text: 'Guten Tag {name},' });
  expect(await textOf()).toMatchObject({
    template_id: german.template_id,
    ...{ other_language: false, missing: ['name'], text: 'Guten Tag ,' },
  });
  expect(await textOf(french.template_id)).toMatchObject({ language: 'fr', other_language: true });
  await expect(textOf('builtin-nothing')).rejects.toMatchObject({ status: 404 });
});

test('an extended deadline and the day that a member recorded are what is filled in', async () => {
  const { client, token, make } = await request();
  const received_on = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  const { request_id } = await client.recordDsar({
    token,
    body: { request_type: 'access', channel: 'letter', contact: '12 Harbour Street', received_on },
  });
  const { extended_until } = await client.extendDsar({ token, request_id, body: { reason: 'Much to do.' } });
  const { template_id } = await make({ text: '{received} {due}' });
  const day = (at: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));
  expect((await client.getAnswerText({ token, request_id, template_id })).text).toBe(
    `${day(received_on)} ${day(extended_until ?? '')}`,
  );
});

test('templates and requests of other sites are not found', async () => {
  const [one, two] = [await request(), await request()];
  const { template_id } = await two.make();
  await expect(one.textOf(template_id)).rejects.toMatchObject({ status: 404 });
  const foreign = one.client.getAnswerText({ token: one.token, request_id: two.request_id });
  await expect(foreign).rejects.toMatchObject({ status: 404 });
});
