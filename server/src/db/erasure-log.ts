import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { newId } from '../domain/ids';
import type { FoundBy, RetentionRule } from '../domain/types';
import { isUndone } from './errors';
import { type Gone, noteErased } from './ledger/erased-notes';
import type { ErasureRow } from './models';
import { ERASED_KINDS, type ErasedCounts, NOTHING, sealErasures } from './seal-erasures';

type Told = Pick<ErasureRow, 'environment_id' | 'erasure_id' | 'begun_at' | 'kind' | 'found_by'> &
  Pick<ErasureRow, 'user_id' | 'key_id' | 'rule' | 'day'>;

/** Who erases. */
interface Eraser {
  userId: number;
  key?: { id: string };
}

const isNothing = (counts: ErasedCounts): boolean => ERASED_KINDS.every((kind) => (counts[kind] ?? 0) === 0);

/**
 * The record of one erasure, which holds no personal data. It is written with the first removal and counts with each
 * further one, so that it says what was erased even if the process is killed; nothing is written where nothing goes.
 */
export class ErasureNote {
  private begun = false;
  private counted = false;
  /** Whether something may have gone that is not counted: then the record stays open, as after a kill. */
  private inDoubt = false;
  /** What is written in the first transaction, whether or not anything goes. */
  private along: ((trx: Knex.Transaction) => Promise<void>) | undefined;
  /** What ends each transaction: throws when whoever erases may do so no more. */
  private stay: ((trx: Knex) => Promise<void>) | undefined;

  private constructor(
    readonly db: Knex,
    private readonly told: Told,
  ) {}

  /** Of what somebody erases by one call. */
  static of(
    db: Knex,
    environment_id: string,
    { userId: user_id, key }: Eraser,
    what: { kind: 'person' | 'session'; found_by: FoundBy[] },
  ): ErasureNote {
    const begun_at = clock.date();
    const told = { ...{ environment_id, erasure_id: newId(), begun_at, user_id }, rule: null, day: null };
    return new ErasureNote(db, { ...told, ...what, key_id: key?.id ?? null });
  }

  /** Of what a rule of retention erases of a site on a day: all runs of the day write the same one. */
  static ofRule(db: Knex, environment_id: string, rule: RetentionRule, begun_at: Date): ErasureNote {
    const day = begun_at.toISOString().slice(0, 10);
    const told = { ...{ environment_id, begun_at, rule, day }, user_id: null, key_id: null };
    // Earlier versions, whose notes have no code, left "coded" out: none of theirs is opened again.
    const erasure_id = idOf(`${environment_id} ${day} ${rule} coded`);
    return new ErasureNote(db, { ...told, erasure_id, kind: 'retention', found_by: [] });
  }

  /** Writes something in the transaction of the first batch, so that neither is there without the other. */
  withFirst(write: (trx: Knex.Transaction) => Promise<void>): void {
    this.along = write;
  }

  /** Asks at the end of each transaction whether this may go on, which may last: a member or a key can end meanwhile. */
  asking(stay: (trx: Knex) => Promise<void>): void {
    this.stay = stay;
  }

  get environmentId(): string {
    return this.told.environment_id;
  }

  get erasureId(): string {
    return this.told.erasure_id;
  }

  get isInDoubt(): boolean {
    return this.inDoubt;
  }

  /** Erases in one transaction with its count, and with the commitments of what goes, which `erase` names. */
  async inOne(erase: (trx: Knex.Transaction, gone: Gone) => Promise<ErasedCounts>): Promise<ErasedCounts> {
    const counts = await this.db.transaction(async (trx) => {
      const gone: Gone = [];
      const erased = await erase(trx, gone);
      if (!isNothing(erased)) await this.write(trx, erased);
      await noteErased(trx, this.told.environment_id, this.told.erasure_id, gone);
      await this.along?.(trx);
      await this.stay?.(trx);
      return erased;
    });
    this.along = undefined;
    if (!isNothing(counts)) this.begun = this.counted = true;
    return counts;
  }

  /** Before rows that visitors' writes wait for, which no transaction may hold: they are counted by `add`. */
  async begin(): Promise<void> {
    if (this.begun) return;
    await this.db.transaction(async (trx) => {
      await this.write(trx, {});
      await this.stay?.(trx);
    });
    this.begun = true;
  }

  /** Counts what was erased after `begin`. */
  async add(counts: ErasedCounts): Promise<void> {
    if (isNothing(counts)) return;
    this.inDoubt = true;
    await this.write(this.db, counts);
    this.inDoubt = false;
    this.counted = true;
  }

  /** What failed after `begin` may have erased, unless the database says that it has not. */
  doubt(error: unknown): void {
    this.inDoubt ||= !isUndone(error);
  }

  /** It came to its end: a call that was killed or failed has none, nor has what may have erased more than it counted. */
  async finish(whole: boolean): Promise<void> {
    if (!this.begun || this.inDoubt) return;
    const { environment_id, erasure_id } = this.told;
    const rows = (db = this.db) => db<ErasureRow>('erasures').where({ environment_id, erasure_id });
    await this.db.transaction(async (trx) => {
      await rows(trx).update({
        finished_at: clock.date(),
        whole,
        running: trx.raw('greatest(running - 1, 0)'),
      });
      await sealErasures(trx, environment_id, [erasure_id]);
    });
    this.begun = false;
    // Somebody else may have been faster.
    if (this.counted) return;
    await rows()
      .where({ running: 0, ...NOTHING })
      .delete();
  }

  /**
   * Ends a run of retention on a site. What an earlier run of the day left is gone with this one even if this one
   * found nothing of it, and what an earlier one finished is open again when this one fails.
   */
  static async endRun(notes: readonly ErasureNote[], whole: boolean): Promise<void> {
    for (const note of notes) await note.finish(whole);
    const [first] = notes;
    if (first === undefined) return;
    const { db, environmentId: environment_id } = first;
    const ids = notes.map(({ told }) => told.erasure_id);
    const others = (on: Knex) =>
      on<ErasureRow>('erasures')
        .where({ environment_id, running: 0, whole: !whole })
        .whereIn('erasure_id', ids);
    if ((await others(db).first('erasure_id')) === undefined) return;
    await db.transaction(async (trx) => {
      const changed = await others(trx).update({ whole, finished_at: clock.date() }).returning('erasure_id');
      await sealErasures(
        trx,
        environment_id,
        changed.map(({ erasure_id }) => erasure_id),
      );
    });
  }

  private async write(db: Knex, counts: ErasedCounts): Promise<void> {
    const row = { ...this.told, running: this.begun ? 0 : 1, whole: false, ...NOTHING, ...counts };
    const columns = ['running', ...ERASED_KINDS] as const;
    await db('erasures')
      .insert(row)
      .onConflict(['environment_id', 'erasure_id'])
      .merge({
        ...Object.fromEntries(
          columns.map((name) => [name, db.raw('erasures.?? + excluded.??', [name, name])]),
        ),
        finished_at: null,
      });
  }
}

/** A UUID (version 8, RFC 9562 §5.8) of a text. */
function idOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
