import { parentPort } from 'node:worker_threads';
import { readTimeStamp, type TimeStampQuery, writeTimeStampQuery } from '../domain/ledger/time-stamp';

/** What the thread is asked: to write a query, or to read the answer to one. */
export interface StampTask {
  query: TimeStampQuery;
  answer?: Uint8Array;
}

/** What it found: bytes of a query or a token; or why the answer is no time-stamp. */
export type StampResult = { bytes: Uint8Array; genTime?: Date } | { fault: string };

async function resultOf({ query: { nonce, ...query }, answer }: StampTask): Promise<StampResult> {
  // A buffer arrives as plain bytes.
  const asked = { ...query, nonce: Buffer.from(nonce) };
  if (answer === undefined) return { bytes: writeTimeStampQuery(asked) };
  try {
    const { token, genTime } = await readTimeStamp(Buffer.from(answer), asked);
    return { bytes: token, genTime };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Worker thread: answers one task after the other. */
parentPort?.on('message', async (task: StampTask) => parentPort?.postMessage(await resultOf(task)));
