import type { Knex } from 'knex';

/** Where an import goes on: a table, and the key of the last row that was taken of it. */
export interface ImportCursor {
  kind: string;
  after: string[] | null;
  records: number;
}

/** The head of a site's log. */
export interface HeadRow {
  environment_id: string;
  /** The name of the log in its notes; it never changes. */
  origin: string;
  size: number;
  root: Buffer;
  /** The signed checkpoint. */
  note: string;
  /** The key that signed it. */
  key_id: string;
  began_at: Date;
  sealed_at: Date;
  /** When records from before the log were sealed; null when there were none. */
  imported_on: Date | null;
  import_cursor: ImportCursor | null;
  import_done: boolean;
  /** The code of how far the import has come; null once it is over. */
  import_mac: Buffer | null;
}

export const headOf = (db: Knex, environment_id: string): Promise<HeadRow | undefined> =>
  db<HeadRow>('ledger_heads').where({ environment_id }).first() as Promise<HeadRow | undefined>;

/** The head, locked until the transaction ends: only one process seals a site. */
export const lockHead = (trx: Knex, environment_id: string): Promise<HeadRow | undefined> =>
  trx<HeadRow>('ledger_heads').where({ environment_id }).forUpdate().first() as Promise<HeadRow | undefined>;

/** Whether something of a site waits to be sealed. */
export async function isBehind(db: Knex, environment_id: string): Promise<boolean> {
  return (await db('ledger_pending').where({ environment_id }).first('group_id')) !== undefined;
}

/** The heads of all logs but those of deleted sites, in order of site. */
export const headsAfter = (
  db: Knex,
  after: string | null,
  limit: number,
): Promise<Pick<HeadRow, 'environment_id' | 'origin'>[]> =>
  db('ledger_heads')
    .join('environments', 'environments.id', 'ledger_heads.environment_id')
    .whereNull('environments.deleted_at')
    .where((query) => void (after === null ? query : query.where('environment_id', '>', after)))
    .orderBy('environment_id')
    .limit(limit)
    .select('environment_id', 'origin');
