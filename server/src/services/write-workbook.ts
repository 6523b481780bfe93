import { parentPort, workerData } from 'node:worker_threads';
import writeExcel from 'write-excel-file/node';
import type { Sheet } from './workbook';

/** Worker thread: receives rows until there are no more, and answers with the workbook. */
const { name, widths } = workerData as Sheet;
const rows: { value: string; type: StringConstructor; textWrap: true; fontWeight?: 'bold' }[][] = [];

parentPort?.on('message', (row: string[] | undefined) => {
  if (row === undefined) {
    void answer();
    return;
  }
  const bold = rows.length === 0 ? { fontWeight: 'bold' as const } : {};
  rows.push(row.map((value) => ({ value, type: String, textWrap: true, ...bold })));
});

async function answer(): Promise<void> {
  const columns = widths.map((width) => ({ width }));
  const bytes = await writeExcel(rows, { columns, stickyRowsCount: 1, sheet: name }).toBuffer();
  // A copy that can be transferred.
  const copy = new Uint8Array(bytes);
  parentPort?.postMessage(copy, [copy.buffer]);
}
