import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { TRUST_PROXY: '1' } });

const statement = {
  key: 'news',
  text: 'Send me the “monthly” newsletter — <b>free</b>.\n😀',
  accepted: true,
};
const form = (more: object = {}) => ({
  ...{ form_id: 'newsletter', form_url: 'https://shop.example.com/news?utm=1#form' },
  ...{ subject: { email: 'Visitor@Example.com' }, statements: [statement] },
  ...more,
});
const record = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.visitor.recordFormConsent({ token, body: form(more) as never }, { headers });

test('the wording is kept as it was shown, with who, when and where', async () => {
  const { client, token } = await server.site({ default_language: 'de', languages: ['de'] });
  const recorded = await record(token, {}, { 'X-Forwarded-For': '198.51.100.4' });
  const { items } = await client.listFormConsents({ token });
  expect(items).toEqual([
    {
      ...recorded,
      ...{
        form_id: 'newsletter',
        form_url: 'https://shop.example.com/news',
        subject: { email: 'Visitor@Example.com' },
      },
      ...{
        statements: [statement],
        double_opt_in: 'none',
        recorded_by: 'visitor',
        language: 'de',
        ip_masked: '198.51.***.***',
        session_id: null,
      },
    },
  ]);
});

test('a person is found by e-mail in any case, by the site’s own id, and by form', async () => {
  const { client, token } = await server.site();
  const a = await record(token);
  const b = await record(token, { subject: { external_id: 'customer 7' }, form_id: 'order' });
  const c = await record(token, {
    subject: { email: 'visitor@example.com', external_id: 'customer 8' },
    double_opt_in: 'confirmed',
  });
  const find = async (filter: object) =>
    (await client.listFormConsents({ token, ...filter })).items.map(({ form_consent_id }) => form_consent_id);
  expect(await find({})).toEqual([c, b, a].map(({ form_consent_id }) => form_consent_id));
  expect(await find({ email: 'VISITOR@example.com' })).toEqual([c.form_consent_id, a.form_consent_id]);
  expect(await find({ external_id: 'customer 7' })).toEqual([b.form_consent_id]);
  expect(await find({ form_id: 'order' })).toEqual([b.form_consent_id]);
  expect(await find({ form_id: 'order', email: 'visitor@example.com' })).toEqual([]);
  expect(await find({ from: '2099-01-01T00:00:00+23:59' })).toEqual([]);
  expect(await find({ to: '2099-01-01T00:00:00-23:59', limit: 2 })).toHaveLength(2);
});

test('pages are stable while others arrive', async () => {
  const { client, token } = await server.site();
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.unshift((await record(token)).form_consent_id);
  const first = await client.listFormConsents({ token, limit: 2 });
  await record(token);
  const rest: string[] = [];
  const cursor = first.next_cursor as string;
  for await (const item of client.listFormConsents.each({ token, cursor, limit: 2 }))
    rest.push(item.form_consent_id);
  expect([...first.items.map((item) => item.form_consent_id), ...rest]).toEqual(ids);
});

test.each([
  [{ subject: {} }, ['body.subject']],
  [{ subject: { email: 'nobody' } }, ['body.subject.email']],
  [{ subject: { phone: '1' } }, ['body.subject.phone']],
  [{ statements: [] }, ['body.statements']],
  [
    { statements: [{ ...statement, key: 'a b' }, { key: 'x' }] },
    ['body.statements.0.key', 'body.statements.1.accepted', 'body.statements.1.text'],
  ],
  [{ form_url: 'javascript:alert(1)', form_id: '' }, ['body.form_id', 'body.form_url']],
  [{ double_opt_in: 'maybe', language: 'English' }, ['body.double_opt_in', 'body.language']],
])('%j is refused at %j', async (more, paths) => {
  const { client, token } = await server.site();
  const error = await refusal(record(token, more));
  expect([error.status, pathsOf(error)]).toEqual([400, paths]);
  expect((await client.listFormConsents({ token })).items).toEqual([]);
});

test('a statement is listed once: each repetition is named, and nothing is stored', async () => {
  const { client, token } = await server.site();
  const statements = ['news', 'terms', 'news', 'news', 'News'].map((key) => ({ ...statement, key }));
  const error = await refusal(record(token, { statements }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['body.statements.2.key', 'body.statements.3.key']]);
  expect((await client.listFormConsents({ token })).items).toEqual([]);
});

test('one key makes one record, twenty times at once; another body of the session is refused; another site’s key is another', async () => {
  const [here, there] = [await server.site(), await server.site()];
  const options = { idempotencyKey: randomUUID() };
  const session_id = randomUUID();
  const send = (token: string, body = form({ session_id })) =>
    server.visitor.recordFormConsent({ token, body } as never, options);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(here.token)));
  expect(new Set(answers.map(({ form_consent_id }) => form_consent_id)).size).toBe(1);
  expect((await here.client.listFormConsents({ token: here.token })).items).toHaveLength(1);
  const error = await refusal(send(here.token, form({ session_id, form_id: 'other' })));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect((await send(there.token)).form_consent_id).not.toBe(answers[0]?.form_consent_id);
});
