import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { addressHash } from '../../server/src/mail/addresses';
import { ANSWER_CODE, MEMBERS } from '../../server/src/mail/limits';
import { answered, mailedCode } from '../helpers/mail/mailed-pages';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const server = useServer();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends a form, reads the head of the answer and nothing more; resolves with its status. */
function postUnread(path: string, fields: Record<string, string>): Promise<number> {
  const body = new URLSearchParams(fields).toString();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (head) => {
      socket.pause();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head.toString('latin1'))?.[1]));
    });
  });
}

test('who reads nothing of the files of an answer holds few of them, and gives way to others', async () => {
  const site = await server.site();
  // More than the system buffers.
  const content = Buffer.alloc(16 * 1024 * 1024, 'personal data');
  const { answer, file_id, request_id } = await answered(server, site, 'en', content);
  const ask = { method: 'POST', body: new URLSearchParams({ action: 'code' }) };
  expect((await fetch(server.url + answer, ask)).status).toBe(200);
  const fields = { code: await mailedCode(server, request_id), file: file_id };
  const six = await Promise.all(Array.from({ length: 6 }, () => postUnread(answer, fields)));
  expect(six.sort()).toEqual([200, 200, 200, 200, 503, 503]);
  // They are awaited, and take nothing.
  await until('somebody else has a place', async () => (await postUnread(answer, fields)) === 200);
});

const asked = (path: string, fields: Record<string, string>) =>
  fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields) });

/** As if members had caused so many mails to the person of a request today. */
async function counted(request_id: string, count: number, like: object = {}): Promise<void> {
  const { db, mail } = server.service.context;
  const { email } = await db('dsar_requests').where({ request_id }).first('email');
  const own = await db('mail_counts')
    .where({ address_key: await addressHash(mail, email), cause: 'member' })
    .first();
  const rows = Array.from({ length: count }, () => ({ ...own, mail_id: randomUUID(), ...like }));
  await db.batchInsert('mail_counts', rows, 500);
}

test('the files of an answer open where a site has sent a person as many answers as it may', async () => {
  const { answer, request_id } = await answered(server, await server.site(), 'en');
  await counted(request_id, MEMBERS.address);
  expect((await asked(answer, { action: 'code' })).status).toBe(200);
  const code = await mailedCode(server, request_id);
  expect((await asked(answer, { code })).status).toBe(200);
});

test('a code that a limit keeps back is not said to be sent, and the one before stays good', async () => {
  const { answer, request_id } = await answered(server, await server.site(), 'en');
  expect((await asked(answer, { action: 'code' })).status).toBe(200);
  const code = await mailedCode(server, request_id);
  await counted(request_id, MEMBERS.addressAtMost, { account: randomUUID(), site_id: randomUUID() });
  const refused = await asked(answer, { action: 'code' });
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain('You have asked for too many codes.');
  const mails = await server.service.context.db('mails').where({ request_id, kind: ANSWER_CODE });
  expect(mails).toHaveLength(1);
  expect((await asked(answer, { code })).status).toBe(200);
});
