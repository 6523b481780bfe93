import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ROOT } from '../config/paths';
import { FairTurns, OWNERS, type Patience, type Sender } from '../domain/fair-turns';
import { neutralise } from '../domain/formulas';
import { beginning } from '../domain/text';
import { runYielding } from '../domain/yielding';

/** The compiled file, even when tests run from source. */
const WRITER = join(ROOT, 'dist', 'server', 'src', 'services', 'write-workbook.js');
/** Writing a large one takes a second of CPU and some hundred megabytes. */
const AT_ONCE = new FairTurns(1, OWNERS);
/** Memory limit of a writer, in MiB. */
const MEMORY = 512;

/** What a cell of a workbook can hold, in UTF-16 units. */
const MAX_CELL = 32_767;
const CUT = '… (cut: the JSON export has the rest)';

/** Only as much of a text is read as fits. */
function cellText(text: string): string {
  const safe = neutralise(beginning(text, MAX_CELL + 1));
  return safe.length <= MAX_CELL ? safe : beginning(safe, MAX_CELL - CUT.length) + CUT;
}

/** What the writer gets before the rows. */
export interface Sheet {
  name: string;
  /** The width of each column, in characters. */
  widths: number[];
}

/**
 * Writes rows into a workbook off the main thread, because the library is synchronous. Every cell is text, so
 * that a spreadsheet never evaluates it. Senders take turns. Rejects with 429 and 503 when too much waits.
 */
export const writeWorkbook = (
  sender: Sender,
  sheet: Sheet,
  rows: Iterable<string[]>,
  patience?: Patience,
): Promise<Buffer> =>
  AT_ONCE.take(
    sender,
    async () => {
      const worker = new Worker(WRITER, {
        workerData: sheet,
        resourceLimits: { maxOldGenerationSizeMb: MEMORY },
      });
      try {
        const written = new Promise<Uint8Array>((resolve, reject) => {
          worker.once('message', resolve).once('error', reject);
        });
        // The error is thrown where the promise is awaited; until then it must not count as unhandled.
        written.catch(() => undefined);
        await runYielding(send(worker, rows));
        return Buffer.from((await written).buffer);
      } finally {
        await worker.terminate();
      }
    },
    patience,
  );

function* send(worker: Worker, rows: Iterable<string[]>): Generator<undefined, void> {
  for (const row of rows) {
    worker.postMessage(row.map(cellText));
    yield;
  }
  worker.postMessage(undefined);
}
