import type { Knex } from 'knex';
import type { HeadRow } from '../../db/ledger/heads';
import type { Settings } from '../../domain/types';
import type { Findings } from './findings';

/** For how long settings kept records, and from when on. */
export interface RetainedVersion {
  created_at: Date;
  settings: Pick<Settings, 'retention_days'>;
}

/** What parts of an audit share: one site, read in one snapshot. */
export interface Audited {
  trx: Knex;
  site: { id: string; token: string };
  /** Undefined as long as the log has not begun. */
  head: HeadRow | undefined;
  findings: Findings;
  /** By which what a server wrote is known as such. */
  groupKey: Buffer;
  /** Consents from before the log whose blindings were read. */
  imported: number;
  /** Retention may have deleted the records of erasures that began before this instant; once it was looked for. */
  outlived?: number;
  /** The versions of its settings, once they were read. */
  versions?: RetainedVersion[];
  /** Of which time records are read; all of them without it. */
  window?: { from: Date; to: Date };
  /** Of erasures that are searched for a stretch. */
  mostNotes?: number;
  /** Ends it early. */
  signal?: AbortSignal;
  /** Called with what was read since. */
  progress(rows: number): void;
}

/** Rows that are read at once. */
export const AT_ONCE = 5_000;
export const NIL = '00000000-0000-0000-0000-000000000000';
