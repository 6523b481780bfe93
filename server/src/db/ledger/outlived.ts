import type { Knex } from 'knex';
import { idAt, timeOfId } from '../../domain/ids';
import { DAY_MS } from '../../domain/time';
import { CONSENT_KEY, forgetImported, goneConsents, type PlacedKey, placedKey } from './erased';
import { type Gone, noteErased } from './erased-notes';

/** Rows of a table from one instant to another, the last one included but for the end of all. */
interface Span {
  column: string;
  before: Date;
  from: string;
  until: string;
}

/** The commitments of consent records that retention deletes next, in its transaction. */
export async function eraseConsents(
  trx: Knex,
  environment_id: string,
  { column, before, from, until }: Span,
): Promise<Gone> {
  const rows = await trx('consents')
    .where({ environment_id })
    .whereRaw('?? >= ?::timestamptz AND ?? < ? AND ?? <= ?::timestamptz', [
      ...[column, from, column, before],
      ...[column, until],
    ])
    .forUpdate()
    .select([...CONSENT_KEY]);
  const gone = await goneConsents(trx, environment_id, rows);
  await forgetImported(
    trx,
    environment_id,
    rows.map(({ consent_id }) => consent_id),
  );
  return gone;
}

/** A month of a site that is about to be dropped as a whole. */
interface Month {
  name: string;
  table: string;
  start: Date;
  end: Date;
}

/** Records that are read at once. */
const CHUNK = 5_000;

/** Where commitments are noted. */
interface Note {
  db: Knex;
  environmentId: string;
  erasureId: string;
}

/** The commitments of a site's month: noted before it is dropped, and taken back if it is not. */
export class MonthLeaves {
  private first: number | undefined;

  constructor(
    private readonly about: Note,
    private readonly month: Month,
  ) {}

  /** In parts, so that the memory that it takes does not grow with the month. */
  async note(): Promise<void> {
    if (this.month.table !== 'consents') return;
    const { db, environmentId, erasureId } = this.about;
    const earlier = await this.lastNote();
    for (let after: string[] = [this.month.start.toISOString(), NIL]; ; ) {
      const keys = await this.keysAfter(after);
      const last = keys.at(-1);
      if (last === undefined) return;
      const gone = await goneConsents(db, environmentId, keys);
      const n = await db.transaction(async (trx) => {
        if (earlier > 0) await this.takeBackEarlier(trx, gone, earlier);
        return noteErased(trx, environmentId, erasureId, gone);
      });
      this.first ??= n;
      after = [last.place, last.consent_id];
    }
  }

  async takeBack(): Promise<void> {
    if (this.first === undefined) return;
    const { db, environmentId: environment_id, erasureId: erasure_id } = this.about;
    await db('ledger_erased').where({ environment_id, erasure_id }).where('n', '>=', this.first).delete();
  }

  /** The last note of a run of the same day: one that was killed may have noted this month. */
  private async lastNote(): Promise<number> {
    const { db, environmentId: environment_id, erasureId: erasure_id } = this.about;
    const last = await db('ledger_erased').where({ environment_id, erasure_id }).max('n as n').first();
    return Number(last?.n ?? 0);
  }

  /** A note whose first or last record is still there was made by a run that did not drop it. */
  private async takeBackEarlier(trx: Knex, here: Gone, earlier: number): Promise<void> {
    const { environmentId: environment_id, erasureId: erasure_id } = this.about;
    const commitments = here.map((digits) => Buffer.from(digits, 'hex'));
    await trx('ledger_erased')
      .where({ environment_id, erasure_id })
      .where('n', '<=', earlier)
      .whereRaw(
        `(substring(commitments FROM 1 FOR 32) = ANY (:here::bytea[])
          OR substring(commitments FROM length(commitments) - 31) = ANY (:here::bytea[]))`,
        { here: commitments },
      )
      .delete();
  }

  private keysAfter(after: string[]): Promise<PlacedKey[]> {
    return this.about
      .db(this.month.name)
      .where({ environment_id: this.about.environmentId })
      .whereRaw('(recorded_at, consent_id) > (?::timestamptz, ?::uuid)', after)
      .orderBy(['recorded_at', 'consent_id'])
      .limit(CHUNK)
      .select(placedKey(this.about.db));
  }
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** Forgets the blindings of records from before the log that a dropped month held: their ids hold their times. */
export async function forgetMonth(
  db: Knex,
  environment_id: string,
  { table, start, end }: Month,
): Promise<void> {
  if (table !== 'consents') return;
  const imported = () => db('ledger_imported').where({ environment_id });
  if ((await imported().first('consent_id')) === undefined) return;
  for (let from = start; from < end; from = new Date(from.getTime() + DAY_MS)) {
    await imported()
      .where('consent_id', '>=', idAt(from))
      .where('consent_id', '<', idAt(new Date(from.getTime() + DAY_MS)))
      .delete();
  }
}

/**
 * Forgets what a run that was killed, or never heard of its drop, did not: blindings of months that are gone.
 * @param kept the first instants of the months of `consents` that are there, in milliseconds
 */
export async function forgetDropped(
  db: Knex,
  environment_id: string,
  kept: ReadonlySet<number>,
): Promise<void> {
  for (let from = NIL; ; ) {
    const next = await db('ledger_imported')
      .where({ environment_id })
      .where('consent_id', '>=', from)
      .orderBy('consent_id')
      .first('consent_id');
    if (next === undefined) return;
    const at = timeOfId(next.consent_id);
    const [start, end] = [0, 1].map(
      (more) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more)),
    );
    const month = { name: '', table: 'consents', start: start as Date, end: end as Date };
    if (!kept.has(month.start.getTime())) await forgetMonth(db, environment_id, month);
    from = idAt(month.end);
  }
}
