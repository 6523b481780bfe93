import type { RandomAccess } from '@avow/sdk/verify';

/** Milliseconds of work after which the page gets a turn. */
const TURN = 30;

/**
 * A file that is read in parts, so that one larger than the memory can be verified, and at a pace that leaves the page
 * usable.
 * @param onRead called with the bytes that were read so far
 * @param isOver whether nobody wants the rest
 */
export function paced(file: Blob, onRead: (bytes: number) => void, isOver: () => boolean): RandomAccess {
  let read = 0;
  let since = performance.now();
  const step = async (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
    if (isOver()) throw new Error('another file was chosen');
    if (performance.now() - since > TURN) {
      await turn();
      since = performance.now();
    }
    read += chunk.length;
    onRead(read);
    controller.enqueue(chunk);
  };
  return {
    size: file.size,
    slice: (start, end) => ({
      stream: () =>
        file
          .slice(start, end)
          .stream()
          .pipeThrough(new TransformStream({ transform: step })),
    }),
  };
}

/** Lets the browser paint and answer. Timers would be slowed down in a tab that nobody looks at. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
