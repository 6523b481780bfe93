import { neutralised } from '../domain/formulas';
import { slicesOf } from '../domain/text';
import { inChunks } from '../domain/yielding';

/** A cell with one of these is in quotation marks (RFC 4180). */
const QUOTED = /[",\r\n]/;
/** Characters of a line that are put together at a time. */
const SLICE = 16_384;

/**
 * Lines of a CSV file. Used by every export: what a spreadsheet in any locale would run as a formula becomes
 * text (OWASP, CSV injection). In pieces of about 64 KiB, with turns for others in between.
 */
export const csvLines = (
  rows: Iterable<readonly string[]>,
  options: { bom?: boolean; quoted?: boolean } = {},
): AsyncGenerator<string> => inChunks(pieces(rows, options));

/** Records as lines: missing values are empty, times are ISO 8601, objects and lists are JSON. */
export const csvRecords = (records: Iterable<object>, columns: readonly string[]): AsyncGenerator<string> =>
  csvLines(cellsOf(records, columns));

/** One cell may hold a mebibyte of quotation marks, each of which is doubled. */
function* pieces(
  rows: Iterable<readonly string[]>,
  { bom = false, quoted = false }: { bom?: boolean; quoted?: boolean },
): Generator<string> {
  if (bom) yield '\ufeff';
  for (const cells of rows) {
    let text = '';
    for (const [at, cell] of cells.entries()) {
      const mark = cell !== '' && (quoted || QUOTED.test(cell)) ? '"' : '';
      text += at === 0 ? mark : `,${mark}`;
      for (const safe of neutralised(cell))
        for (const piece of slicesOf(safe, SLICE)) {
          text += piece.replaceAll('"', '""');
          if (text.length < SLICE) continue;
          yield text;
          text = '';
        }
      text += mark;
    }
    yield `${text}\n`;
  }
}

function* cellsOf(records: Iterable<object>, columns: readonly string[]): Generator<string[]> {
  for (const record of records)
    yield columns.map((column) => cellOf((record as Record<string, unknown>)[column]));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
