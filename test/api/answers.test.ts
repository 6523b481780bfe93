import { strFromU8, unzipSync } from 'fflate';
import { useServer } from '../helpers/server';

// Without a mail server.
const server = useServer();

const ANSWER = 'Dear Ada, this is all that we keep of you.';

async function request() {
  const { client, token } = await server.site();
  const email = 'ada@example.com';
  const { request_id } = await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  const at = { token, request_id };
  return { client, token, email, at, read: () => client.getDsar(at) };
}

test('without a mail server the request says so, and a mail that is not sent is a warning', async () => {
  const { client, token, at, read } = await request();
  expect((await read()).mailing).toBe('no_mail_server');
  await client.extendDsar({ ...at, body: { reason: 'Many systems.' } });
  const warned = async () =>
    (await client.listWarnings({ token })).items
      .filter(({ code }) => code === 'answer_not_delivered')
      .map(({ subject_id, message }) => [subject_id, message.slice(0, 10)]);
  expect(await warned()).toEqual([[at.request_id, 'The person']]);
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: ANSWER } });
  expect(await warned()).toEqual([[at.request_id, 'The answer']]);
  expect((await read()).undelivered.map(({ duty, state, error }) => [duty, state, error])).toEqual([
    ['answer', 'unsent', null],
    ['extension', 'unsent', null],
  ]);
  await client.reopenDsar({ ...at, body: { reason: 'Nobody got it.' } });
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', note: 'By letter.', mail: false } });
  expect(await warned()).toEqual([]);
});

test('what was answered is kept, encrypted, and the latest of it is in the case and its archive', async () => {
  const { client, at, read } = await request();
  expect((await read()).answer).toBeNull();
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: 'Wrong person.' } });
  await client.reopenDsar({ ...at, body: { reason: 'It was for somebody else.' } });
  expect((await read()).answer).toBe('Wrong person.');
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', note: 'Sent.', answer: ANSWER } });
  const { answer, history } = await read();
  expect(answer).toBe(ANSWER);
  const last = { action: 'resolved: fulfilled, with an answer, not mailed', note: 'Sent.' };
  expect(history.at(-1)).toMatchObject(last);
  expect(JSON.stringify(history)).not.toContain('Dear Ada');
  const [row] = await server.service.context.db('dsar_requests').where({ request_id: at.request_id });
  expect(Buffer.isBuffer(row.answer)).toBe(true);
  expect(row.answer.includes('Dear Ada')).toBe(false);
  expect((await client.getDsarCase(at)).request.answer).toBe(ANSWER);
  const zip = await (await client.exportDsarCase(at)).arrayBuffer();
  const { 'case.json': told } = unzipSync(new Uint8Array(zip));
  expect(JSON.parse(strFromU8(told as Uint8Array)).request.answer).toBe(ANSWER);
});

test('erasing the person erases what they were answered', async () => {
  const { client, token, email, at, read } = await request();
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: ANSWER } });
  const { erased } = await client.eraseSubject({ token, body: { subject: { email } } });
  expect(erased).toContainEqual({ kind: 'requests', count: 1 });
  expect((await read()).answer).toBeNull();
  const [row] = await server.service.context.db('dsar_requests').where({ request_id: at.request_id });
  expect(row.answer).toBeNull();
});
