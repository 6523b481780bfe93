import { AvowConnectionError } from './errors.js';
import type { AvowFile } from './types.js';

/**
 * The file of an answer, whose stream counts what has come: one that breaks off says how far it came.
 * @param signal the caller's: its reason is what the stream ends with once it has aborted
 */
export function fileOf(response: Response, operation: string, signal: AbortSignal | undefined): AvowFile {
  const reader = response.body?.getReader();
  if (!reader) return response as AvowFile;
  const received = { bytes: 0, lines: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          received.bytes += value.length;
          for (const byte of value) if (byte === 10) received.lines++;
          controller.enqueue(value);
        } catch (cause) {
          controller.error(signal?.aborted ? signal.reason : broken(operation, received, cause));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response) as AvowFile;
}

function broken(operation: string, received: { bytes: number; lines: number }, cause: unknown) {
  const came = `${received.bytes} bytes (${received.lines} lines)`;
  const message = `${operation}: the connection broke after ${came}; what came is not the whole file: start again`;
  return new AvowConnectionError(message, { operation, timedOut: false, received: { ...received }, cause });
}
