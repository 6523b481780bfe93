import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);

/** A request of a new person, and what their mails say. */
async function request() {
  const { client, token } = await server.site();
  const email = `${randomUUID()}@visitor.example`;
  const { request_id } = await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const read = () => client.getDsar({ token, request_id });
  const mail = async (n: number) => {
    const { raw = '', parsed } = (await mailServer.until(n, email))[n - 1] ?? {};
    return { raw, text: parsed?.text ?? '' };
  };
  return { client, token, email, request_id, at: { token, request_id }, read, mail };
}

const linkIn = (text: string, kind: string): string =>
  server.url + (new RegExp(`/mail/${kind}/[^\\s>]+`).exec(text)?.[0] ?? `/no-${kind}`);

const post = (url: string, fields: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

test('who wants no more mails is told an extension, the answer and a refusal, by mails that cannot be stopped', async () => {
  const { client, token, at, email, mail, read } = await request();
  const received = await mail(1);
  const stop = linkIn(received.text, 'stop');
  // Both before and after it is said what still comes.
  for (const page of [await fetch(stop), await post(stop)])
    expect(await page.text()).toContain('Answers to requests are still mailed');
  await client.extendDsar({ ...at, body: { reason: 'Many systems.' } });
  await client.resolveDsar({ ...at, body: { resolution: 'refused', answer: 'Manifestly unfounded.' } });
  const told = [await mail(2), await mail(3)].map(({ text }) => text).join('\n');
  expect(told).toContain('> Many systems.');
  expect(told).toContain('> Manifestly unfounded.');
  for (const n of [2, 3]) {
    const { raw, text } = await mail(n);
    expect(raw).not.toMatch(/List-Unsubscribe|No more mails/);
    expect(text).not.toContain('/mail/stop/');
  }
  expect((await read()).undelivered).toEqual([]);
  // A courtesy is still one.
  await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const { items } = await client.listMails({ token, state: 'withheld' });
  expect(items.map(({ kind }) => kind)).toEqual(['request_received']);
});

test('whose request it is not says so, and gets nothing of it; the owner is told', async () => {
  const { client, token, at, mail, read } = await request();
  const { text } = await mail(1);
  const link = linkIn(text, 'disown');
  // A program that looks at links in mails says nothing.
  expect((await fetch(link)).status).toBe(200);
  expect(await read()).toMatchObject({ disowned_at: null, mailing: 'mailed' });
  expect((await post(`${link}x`)).status).toBe(404);
  expect(await (await post(link)).text()).toContain('You will get no more mails about this request.');
  expect((await post(link)).status).toBe(200);
  const { history, ...disowned } = await read();
  expect(disowned).toMatchObject({ disowned_at: expect.any(String), mailing: 'disowned' });
  expect(history.map(({ action }) => action)).toEqual(['created', 'not made by the holder of the address']);
  await client.extendDsar({ ...at, body: { reason: 'Many systems.' } });
  // Nobody is mailed a refusal without reasons.
  await client.resolveDsar({ ...at, body: { resolution: 'refused' } });
  const { items } = await client.listMails(at);
  expect(items.map(({ kind, state }) => [kind, state])).toEqual([
    ['request_answered', 'withheld'],
    ['request_extended', 'withheld'],
    ['request_received', 'sent'],
  ]);
  const { undelivered } = await read();
  expect(undelivered.map(({ duty, state }) => [duty, state])).toEqual([
    ['answer', 'withheld'],
    ['extension', 'withheld'],
  ]);
  expect(undelivered[0]?.error).toMatch(/did not make this request/);
  // Nobody is there who could be told otherwise.
  const warnings = await client.listWarnings({ token });
  expect(warnings.items.filter(({ code }) => code === 'answer_not_delivered')).toEqual([]);
});

test('who said so by mistake confirms the address, and is mailed again', async () => {
  const { client, at, mail, read } = await request();
  const { text } = await mail(1);
  await post(linkIn(text, 'disown'));
  await post(linkIn(text, 'verify'));
  expect(await read()).toMatchObject({
    disowned_at: null,
    identification: 'verified',
    mailing: 'mailed',
  });
  expect((await read()).email_verified_at).not.toBeNull();
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: 'Here it is.' } });
  const answer = (await mail(2)).text;
  expect(answer).toContain('> Here it is.');
  // They have confirmed it.
  expect(answer).not.toContain('/mail/disown/');
});

test('a refusal is mailed with its reasons only, of one request and of many', async () => {
  const { client, token, at, mail, read } = await request();
  for (const resolution of ['refused', 'partially_fulfilled'] as const) {
    const wrong = await refusal(client.resolveDsar({ ...at, body: { resolution } }));
    expect([wrong.status, pathsOf(wrong)]).toEqual([400, ['body.answer']]);
  }
  const many = { request_ids: [at.request_id], resolution: 'refused' as const };
  expect(pathsOf(await refusal(client.resolveDsars({ token, body: many })))).toEqual(['body.answer']);
  expect((await read()).status).toBe('created');
  const { items } = await client.resolveDsars({ token, body: { ...many, answer: 'We cannot find you.' } });
  expect(items).toMatchObject([{ done: true }]);
  expect((await mail(2)).text).toContain('> We cannot find you.');
  expect((await read()).answer).toBe('We cannot find you.');
  // Without a mail nothing is told without reasons.
  await client.reopenDsar({ ...at, body: { reason: 'Found.' } });
  await client.resolveDsar({ ...at, body: { resolution: 'refused', mail: false } });
  const { request_id } = await client.recordDsar({
    token,
    body: { request_type: 'access', channel: 'letter', received_on: '2026-01-01', contact: '1 Street' },
  });
  const byLetter = await client.resolveDsar({ token, request_id, body: { resolution: 'refused' } });
  expect(byLetter).toMatchObject({ mailing: 'no_address', resolution: 'refused' });
});

test('an answer that the mail server refuses is on the request and a warning, until the request is reopened', async () => {
  const { client, token, at, mail, read } = await request();
  await mail(1);
  mailServer.answers.recipient = () => [550, '5.1.1 unknown user'];
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled' } });
  const { undelivered } = await eventually(read, (all) => all.undelivered.length > 0);
  mailServer.answers.recipient = undefined;
  expect(undelivered).toMatchObject([
    { duty: 'answer', state: 'failed', error: expect.stringContaining('unknown user') },
  ]);
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  expect(await codes()).toEqual(['answer_not_delivered']);
  await client.reopenDsar({ ...at, body: { reason: 'It came back.' } });
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', note: 'By letter.', mail: false } });
  expect([await codes(), (await read()).undelivered]).toEqual([[], []]);
});

test('of an answer that replaces another one the history says which of them was mailed', async () => {
  const { client, at, mail, read } = await request();
  const resolve = (answer: string, more: { mail?: boolean } = {}) =>
    client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer, ...more } });
  await resolve('The first.');
  expect((await mail(2)).text).toContain('> The first.');
  await client.reopenDsar({ ...at, body: { reason: 'It was wrong.' } });
  await resolve('The second.', { mail: false });
  const { answer, history } = await read();
  expect(answer).toBe('The second.');
  expect(history.map(({ action }) => action)).toEqual([
    'created',
    'resolved: fulfilled, with an answer by mail',
    'reopened',
    'resolved: fulfilled, with an answer, not mailed',
  ]);
});

test('of an answer that a limit keeps back the history says that it was not mailed', async () => {
  const { client, at, token, email, read } = await request();
  const resolve = (one: typeof at) =>
    client.resolveDsar({ ...one, body: { resolution: 'refused', answer: 'No.', note: 'None of yours.' } });
  let last = at;
  // Thirty mails by members to one address in a day.
  for (let n = 0; n < 31; n += 1) {
    if (n % 15 === 14) {
      const body = { request_type: 'access' as const, email, channel: 'telephone' as const };
      const received_on = new Date().toISOString().slice(0, 10);
      const { request_id } = await client.recordDsar({ token, body: { ...body, received_on } });
      last = { token, request_id };
    }
    await resolve(last);
    if (n < 30) await client.reopenDsar({ ...last, body: { reason: 'Again.' } });
  }
  const { history, undelivered } = await client.getDsar(last);
  expect(undelivered).toMatchObject([{ duty: 'answer', state: 'withheld' }]);
  const actions = history.map(({ action }) => action).filter((action) => action.startsWith('resolved'));
  expect(actions.at(-1)).toBe('resolved: refused, with an answer, not mailed');
  expect((await read()).history.map(({ action }) => action)).toContain(
    'resolved: refused, with an answer by mail',
  );
});
