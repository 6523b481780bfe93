/**
 * A set-based statement, named so that PostgreSQL plans it once for a connection, and the columns of the
 * arrays that it takes.
 */
export interface SetStatement<Row> {
  name: string;
  text: string;
  columns: readonly (keyof Row & string)[];
  returns: boolean;
}

/** The type of each column, for the casts of the arrays. */
export type Types<Row> = { readonly [Column in keyof Row & string]: string };

/** `INSERT … SELECT … FROM unnest(arrays)`, with `rest` after it. */
export function insertRows<Row>(name: string, into: string, types: Types<Row>, rest = ''): SetStatement<Row> {
  const columns = Object.keys(types) as (keyof Row & string)[];
  const arrays = columns.map((column, index) => `$${index + 1}::${types[column]}[]`);
  const text = `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM unnest(${arrays}) AS r (${columns}) ${rest}`;
  return { name, text, columns, returns: rest.includes('RETURNING') };
}

type Value = string | number | boolean | object | null | undefined;

/**
 * The rows by column, each column as the text of a PostgreSQL array, for `unnest`: PostgreSQL reads these in
 * half of the time that it needs for the same rows as JSON.
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
