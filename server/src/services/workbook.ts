import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inTurns } from '../bundles/turns';
import { ROOT } from '../config/paths';
import { ConcurrencyLimit } from '../db/concurrency-limit';
import { neutralise } from '../domain/formulas';

/** Compiled, also where tests run the sources. */
const WRITER = join(ROOT, 'dist', 'server', 'src', 'services', 'write-workbook.js');
/** Writing a large one takes a processor for a second, and some hundred megabytes. */
const AT_ONCE = new ConcurrencyLimit(1);
/** Mebibytes of memory that a writer may take. */
const MEMORY = 512;

/** What a cell of a workbook can hold, in UTF-16 units. */
const MAX_CELL = 32_767;
const CUT = '… (cut: the JSON export has the rest)';

/** No more of a text is looked at than there is room for. */
function cellText(text: string): string {
  const safe = neutralise(text.slice(0, MAX_CELL + 1));
  return safe.length <= MAX_CELL ? safe : safe.slice(0, MAX_CELL - CUT.length).toWellFormed() + CUT;
}

/** What the writer is told before its rows come. */
export interface Sheet {
  name: string;
  /** Of each column, in characters. */
  widths: number[];
}

/**
 * Writes rows into a workbook, off the main thread: its writer does all in one stretch. Every cell is text, so
 * that a spreadsheet never evaluates it. Rejects with 503 when others' workbooks take too long.
 */
export const writeWorkbook = (sheet: Sheet, rows: Iterable<string[]>): Promise<Buffer> =>
  AT_ONCE.take(async () => {
    const worker = new Worker(WRITER, {
      workerData: sheet,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    try {
      const written = new Promise<Uint8Array>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      });
      // Told where it is awaited; until then nobody may call it unhandled.
      written.catch(() => undefined);
      await inTurns(send(worker, rows));
      return Buffer.from((await written).buffer);
    } finally {
      await worker.terminate();
    }
  });

function* send(worker: Worker, rows: Iterable<string[]>): Generator<undefined, void> {
  for (const row of rows) {
    worker.postMessage(row.map(cellText));
    yield;
  }
  worker.postMessage(undefined);
}
