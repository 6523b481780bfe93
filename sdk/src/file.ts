import { AvowConnectionError } from './errors.js';
import type { AvowFile } from './types.js';

/**
 * The file of an answer. Its stream counts what has arrived, and reports the count in the error when it
 * breaks off.
 * @param signal the caller's; when it has aborted, the stream fails with its reason
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
          controller.error(signal?.aborted ? signal.reason : streamError(operation, received, cause));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response) as AvowFile;
}

function streamError(operation: string, received: { bytes: number; lines: number }, cause: unknown) {
  const amount = `${received.bytes} bytes (${received.lines} lines)`;
  const message = `${operation}: the connection broke after ${amount}; the file is incomplete: start again`;
  return new AvowConnectionError(message, { operation, timedOut: false, received: { ...received }, cause });
}
