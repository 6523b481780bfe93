import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import pino from 'pino';
import { beginExchange } from '../../server/src/http/exchange';
import { sendContent } from '../../server/src/http/files';
import { READING } from '../../server/src/http/reading';

let server: Server;
let ends: Promise<void>;
beforeAll(async () => {
  const sending = {
    log: pino({ level: 'silent' }),
    check: () => Promise.resolve(),
    isAwaited: () => false,
    pace: READING,
  };
  server = createServer((request, response) => {
    const content = Readable.from(request.url === '/whole' ? ['one', 'two'] : failing(), {
      objectMode: false,
    });
    ends = sendContent(beginExchange(request, response), [content], sending);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function* failing(): AsyncGenerator<string> {
  yield 'one';
  await new Promise((resolve) => setTimeout(resolve, 100));
  throw new Error('the database is away');
}

/** What a client of HTTP/1.0 sees of an answer's end. */
async function endOf(path: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const end = new Promise<string>((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    socket.once('end', () => resolve('end'));
  });
  socket.resume().write(`GET ${path} HTTP/1.0\r\n\r\n`);
  const seen = await end;
  socket.destroy();
  await ends;
  return seen;
}

test('a file that breaks off looks broken to HTTP/1.0, to which the end of a connection is that of a file', async () => {
  expect([await endOf('/whole'), await endOf('/broken')]).toEqual(['end', 'ECONNRESET']);
});
