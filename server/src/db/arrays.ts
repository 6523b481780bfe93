type Value = string | number | boolean | object | null | undefined;

/**
 * The rows by column, each column as the text of a PostgreSQL array, for `unnest`: PostgreSQL reads these in half of the time that it
 * needs for the same rows as JSON.
 */
export const toArrays = <Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): string[] =>
  columns.map((column) => {
    let text = '';
    for (const row of rows) text += `${text === '' ? '{' : ','}${element(row[column] as Value)}`;
    return text === '' ? '{}' : `${text}}`;
  });

function element(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
}

const quoted = (text: string): string =>
  text.includes('"') || text.includes('\\') ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
