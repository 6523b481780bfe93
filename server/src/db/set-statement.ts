/**
 * A set-based statement with the columns of its array parameters. It is named, so that PostgreSQL plans it
 * once per connection.
 */
export interface SetStatement<Row> {
  name: string;
  text: string;
  columns: readonly (keyof Row & string)[];
  returns: boolean;
}

/** The type of each column, for the casts of the arrays. */
export type Types<Row> = { readonly [Column in keyof Row & string]: string };

/**
 * `INSERT … SELECT … FROM unnest(arrays)`, with `rest` after it.
 * @param selected what is stored in a column instead of the value of its array
 */
export function insertRows<Row>(
  name: string,
  into: string,
  types: Types<Row>,
  rest = '',
  selected: { readonly [Column in keyof Row & string]?: string } = {},
): SetStatement<Row> {
  const columns = Object.keys(types) as (keyof Row & string)[];
  const arrays = columns.map((column, index) => `$${index + 1}::${types[column]}[]`);
  const values = columns.map((column) => selected[column] ?? column);
  const text = `INSERT INTO ${into} (${columns}) SELECT ${values} FROM unnest(${arrays}) AS r (${columns}) ${rest}`;
  return { name, text, columns, returns: rest.includes('RETURNING') };
}

type Value = string | number | boolean | object | null | undefined;

/**
 * The rows by column, each as the text of a PostgreSQL array for `unnest`, which PostgreSQL parses in half
 * the time of the same rows as JSON.
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
