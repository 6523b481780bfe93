import { connect, type Socket } from 'node:net';
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
