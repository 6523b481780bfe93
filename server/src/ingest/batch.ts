import pg from 'pg';

/** A prepared statement with its values, all of them as text. */
export interface Step {
  name: string;
  text: string;
  values: (string | null)[];
  /** Whether it answers with rows. */
  returns?: boolean;
}

/** What PostgreSQL answers to one step. */
export interface StepResult {
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the statement selects
  rows: any[];
  /** As PostgreSQL names what it did, such as `INSERT 0 1`. */
  tag: string;
}

interface Field {
  name: string;
  dataTypeID: number;
}

interface Column {
  name: string;
  parse(text: string): unknown;
}

/**
 * A submittable of `pg`: steps that are sent and answered together. A query for each step would cost both
 * sides a system call and a wake-up per step.
 */
export class Batch implements pg.Submittable {
  private readonly results: StepResult[] = [];
  private columns: Column[] = [];
  private rows: Record<string, unknown>[] = [];

  constructor(
    private readonly send: (connection: pg.Connection) => void,
    private readonly resolve: (results: StepResult[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    try {
      this.send(connection);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of this.columns.entries()) {
      const text = texts[index] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.rows.push(row);
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    this.results.push({ rows: this.rows, tag });
    this.rows = [];
  }

  /** After a failure PostgreSQL skips the steps that follow. */
  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.results);
  }
}

/** Has PostgreSQL parse a statement under its name. */
export const preparing =
  ({ name, text }: Step) =>
  (connection: pg.Connection): void =>
    connection.parse({ name, text, types: [] }, true);

/** Has PostgreSQL do steps that it has parsed before. */
export const doing =
  (steps: Step[]) =>
  (connection: pg.Connection): void => {
    for (const { name, values, returns } of steps) {
      connection.bind({ statement: name, values }, true);
      if (returns) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
    }
  };
