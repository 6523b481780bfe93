import type { Knex } from 'knex';
import { endsAll } from '../db/errors';
import { sealedFrom } from '../db/ledger/began';
import { sealFact } from '../db/ledger/facts';
import type { HeadRow, ImportCursor } from '../db/ledger/heads';
import { clock } from '../domain/clock';
import { type Imported, SOURCES } from './import-sources';
import { type LoggedSite, type LogOptions, OpenLog } from './log';

/** How long what was written before may not be committed, in milliseconds. */
const COMMITTED = 60_000;

/** A run of the import: when it ends early, and who is told what went wrong at a site. */
interface ImportRun {
  signal?: AbortSignal | undefined;
  fail(site: LoggedSite, error: unknown): void;
}

/** Seals the records from before there was a log, once for each site, and says so of each. */
export class Importer {
  private since: Date | undefined;
  private isDone = false;

  /** From when on every record was written with what seals it; undefined before that is certain. */
  async sealedSince(db: Knex): Promise<Date | undefined> {
    if (this.since !== undefined) return this.since;
    const from = await sealedFrom(db);
    if (from === undefined || from.getTime() + COMMITTED > clock.now()) return undefined;
    this.since = from;
    return this.since;
  }

  /** A site that fails does not stop the others, and is tried again by the next run. */
  async run(db: Knex, options: LogOptions, { signal, fail }: ImportRun): Promise<void> {
    const cutoff = options.sealedSince;
    if (this.isDone || cutoff === undefined) return;
    const done: string[] = await db('ledger_heads').where({ import_done: true }).pluck('environment_id');
    const known = new Set(done);
    const sites: LoggedSite[] = await db('environments')
      .whereNull('deleted_at')
      .select('id', 'token', 'created_at');
    let isDone = true;
    for (const site of sites) {
      try {
        for (let isOver = known.has(site.id); !isOver; ) {
          if (signal?.aborted) return;
          isOver = await importSome(db, site, { ...options, cutoff });
        }
      } catch (error) {
        if (endsAll(error)) throw error;
        isDone = false;
        fail(site, error);
      }
    }
    this.isDone = isDone;
  }
}

/** Seals some records of a site in one transaction; whether it was the last of them. */
const importSome = (db: Knex, site: LoggedSite, options: LogOptions & { cutoff: Date }): Promise<boolean> =>
  db.transaction(async (trx) => {
    const log = await OpenLog.of(trx, site, options);
    const { head } = log;
    if (head.import_done) return true;
    const imported_on = head.imported_on ?? clock.date();
    const cursor = head.import_cursor ?? { kind: SOURCES[0]?.kind ?? '', after: null, records: 0 };
    const source = SOURCES.find(({ kind }) => kind === cursor.kind);
    const about = { site, cutoff: options.cutoff, importedOn: imported_on.toISOString() };
    const imported = (await source?.take(trx, about, cursor.after)) ?? NOTHING;
    const { at, commitments } = imported;
    if (commitments.length > 0) {
      const times = at.map((time) => time.getTime());
      const span = { first_at: new Date(Math.min(...times)), last_at: new Date(Math.max(...times)) };
      await log.append({ commitments: Buffer.concat(commitments), ...span }, true);
    }
    const next = nextOf(cursor, imported);
    const isDone = next === null;
    const records = cursor.records + commitments.length;
    if (isDone && records > 0) await sealImport(trx, head, { imported_on, cutoff: options.cutoff, records });
    const began = records > 0 ? { imported_on } : {};
    await log.close({ import_cursor: next, import_done: isDone, ...began });
    return isDone;
  });

const NOTHING: Imported = { at: [], commitments: [], after: null };

/** Where the next transaction goes on: in the same table, in the next one, or nowhere. */
function nextOf({ kind, records }: ImportCursor, { after, commitments }: Imported): ImportCursor | null {
  const taken = records + commitments.length;
  if (after !== null) return { kind, after, records: taken };
  const next = SOURCES[SOURCES.findIndex((source) => source.kind === kind) + 1];
  return next === undefined ? null : { kind: next.kind, after: null, records: taken };
}

const sealImport = (
  trx: Knex,
  { environment_id }: HeadRow,
  { imported_on, cutoff, records }: { imported_on: Date; cutoff: Date; records: number },
): Promise<unknown> =>
  sealFact(trx, {
    ...{ environmentId: environment_id, kind: 'import', subject: environment_id, keep: true },
    record: { imported_on: imported_on.toISOString(), cutoff: cutoff.toISOString(), records },
  });
