import { stringify } from 'csv-stringify/sync';
import { neutralise } from '../domain/formulas';

/**
 * Lines of a CSV file. The one writer of every export: what a spreadsheet of any language would run as a
 * formula is made a text (OWASP, CSV injection).
 */
export const csvLines = (
  rows: readonly (readonly string[])[],
  options: { bom?: boolean; quoted?: boolean } = {},
): string =>
  stringify(
    rows.map((cells) => cells.map(neutralise)),
    options,
  );

/** Records as lines: what is absent is empty, times are ISO 8601, anything with parts is JSON. */
export const csvRecords = (records: readonly object[], columns: readonly string[]): string =>
  csvLines(
    records.map((record) => columns.map((column) => cellOf((record as Record<string, unknown>)[column]))),
  );

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
