import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const STARTED = 'http.server.request.start';

/**
 * The body of the next POST to an address with this in it, as a server of this process gets it: not every browser's driver
 * tells what a page sends.
 */
export function arrived(part: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const look = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      if (request.method !== 'POST' || !request.url?.includes(part)) return;
      unsubscribe(STARTED, look);
      const chunks: Buffer[] = [];
      const push = request.push.bind(request);
      // Listening to its data would take it from whoever reads it.
      request.push = (chunk, ...more) => {
        if (chunk !== null) chunks.push(Buffer.from(chunk));
        else {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()));
          } catch (error) {
            reject(error);
          }
        }
        return push(chunk, ...more);
      };
    };
    subscribe(STARTED, look);
  });
}
