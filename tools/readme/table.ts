import { VARIABLES, type Variable } from '../../server/src/config';

const HEADER = ['variable', 'default', 'meaning'];

/** The README with a new table of variables. */
export function withVariables(readme: string): string {
  const table = /(?<=\n\n)\| variable +\| default[^\n]*\n(?:\|[^\n]*\n)+/;
  if (!table.test(readme))
    throw new Error('README.md has no table with the columns "variable" and "default".');
  return readme.replace(table, () => variablesTable());
}

/** A row for each variable, with aligned columns. */
export function variablesTable(): string {
  const rows = Object.values<Variable<unknown>>(VARIABLES).map((one) => [
    `\`${one.name}\``,
    shown(one),
    one.meaning,
  ]);
  const widths = HEADER.map((_, column) =>
    Math.max(...[HEADER, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return line(HEADER) + rule + rows.map(line).join('');
}

/** A default value as text of an environment variable. */
function shown({ shown: text, otherwise }: Variable<unknown>): string {
  if (text !== undefined) return text;
  const value: unknown = typeof otherwise === 'function' ? otherwise({}) : otherwise;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '–' : String(value);
}
