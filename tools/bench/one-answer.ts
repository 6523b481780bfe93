import { connect } from 'node:net';
import type { FixedAnswer } from './reference';

/** Sends one request and reads its answer, without the headers that node:http adds by itself. */
export async function readAnswer(port: number, request: Buffer): Promise<FixedAnswer> {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isComplete(bytes)) socket.destroy();
    });
    socket.once('error', reject);
    // One character per byte, because a body may be compressed.
    socket.once('close', () => resolve(bytes.toString('latin1')));
  });
  const end = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(': ', 2) as [string, string])
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name));
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body };
}

function isComplete(bytes: Buffer): boolean {
  const head = bytes.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(bytes.subarray(0, head + 2).toString())?.[1]);
  return head !== -1 && bytes.length >= head + 4 + length;
}
