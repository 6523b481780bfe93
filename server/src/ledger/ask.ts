import type { IncomingMessage } from 'node:http';
import { deadline } from '../net/abortable';
import { Failure } from '../net/failure';
import { createPolicy } from '../net/policy';
import { createTransport, type Transport } from '../net/transport';

/** Of what an operator's own configuration names: anywhere but at the metadata services of clouds. */
const ANYWHERE = { allowNetworks: ['0.0.0.0/0', '::/0'], allowHttp: true };

export interface Question {
  url: string;
  type: string;
  body: Buffer;
  /** Bytes of an answer's body that are read: more are no answer. */
  most: number;
}

export interface Reply {
  status: number;
  body: Buffer;
}

/** Asks witnesses and authorities. Throws the network's error, or a `Failure`. */
export type Ask = (question: Question, signal?: AbortSignal) => Promise<Reply>;

export const createVouchingTransport = (totalMs?: number): Transport =>
  createTransport(createPolicy(ANYWHERE), totalMs === undefined ? {} : { totalMs });

export const askBy =
  (transport: Transport): Ask =>
  async ({ url, type, body, most }, signal) => {
    const { signal: end, release } = deadline(transport.limits.totalMs, transport.closed, signal);
    const headers = { 'Content-Type': type, 'Content-Length': body.length, 'User-Agent': 'Avow' };
    const request = transport.request(new URL(url), { method: 'POST', headers, fresh: false });
    const stop = (): void => void request.destroy(end.reason as Error);
    try {
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        // All that comes after an answer with an upgrade, which nobody asked for.
        request.once('close', () => reject(new Failure('ECONNRESET')));
        if (end.aborted) stop();
        end.addEventListener('abort', stop, { once: true });
        request.end(body);
      });
      return { status: message.statusCode ?? 0, body: await readAll(message, most) };
    } finally {
      end.removeEventListener('abort', stop);
      release();
    }
  };

async function readAll(message: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the connection.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Failure('TOO_LONG');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
