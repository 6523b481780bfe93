/** A set-based statement, named so that PostgreSQL plans it once for a connection, and the columns of the arrays that it takes. */
export interface SetStatement<Row> {
  name: string;
  text: string;
  columns: readonly (keyof Row & string)[];
  returns: boolean;
}

/** What each column is, so that the arrays need no guessing. */
export type Types<Row> = { readonly [Column in keyof Row & string]: string };

/** `INSERT … SELECT … FROM unnest(arrays)`, with `rest` after it. */
export function insertRows<Row>(name: string, into: string, types: Types<Row>, rest = ''): SetStatement<Row> {
  const columns = Object.keys(types) as (keyof Row & string)[];
  const arrays = columns.map((column, index) => `$${index + 1}::${types[column]}[]`);
  const text = `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM unnest(${arrays}) AS r (${columns}) ${rest}`;
  return { name, text, columns, returns: rest.includes('RETURNING') };
}
