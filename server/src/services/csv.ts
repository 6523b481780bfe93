import { stringify } from 'csv-stringify/sync';
import { neutralise } from '../domain/formulas';

/**
 * Lines of a CSV file. Used by every export: what a spreadsheet in any locale would run as a formula becomes
 * text (OWASP, CSV injection).
 */
export const csvLines = (
  rows: readonly (readonly string[])[],
  options: { bom?: boolean; quoted?: boolean } = {},
): string =>
  stringify(
    rows.map((cells) => cells.map(neutralise)),
    options,
  );

/** Records as lines: missing values are empty, times are ISO 8601, objects and lists are JSON. */
export const csvRecords = (records: readonly object[], columns: readonly string[]): string =>
  csvLines(
    records.map((record) => columns.map((column) => cellOf((record as Record<string, unknown>)[column]))),
  );

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
