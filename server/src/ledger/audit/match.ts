import { MINUTE_MS } from '../../domain/time';
import type { Audited } from './audited-site';
import type { Buckets, Held } from './buckets';
import { madeAt, type StoredRow } from './read-rows';

/** Records are sealed in the order in which they were stored, but for so much, in milliseconds. */
const OUT_OF_ORDER = 10 * MINUTE_MS;
/** Of what has no counterpart, so much is looked at one by one. */
const KEPT = 1_000;

/** A record without a leaf. */
export type Lone = Pick<StoredRow, 'holder' | 'id' | 'at'> & { isGone: boolean };

/** Compares both sides: every record has one leaf, and every leaf a record or an erasure. */
export class Matching {
  private readonly rows: Lone[] = [];
  private readonly leaves: Held[] = [];
  private rowCount = 0;
  private leafCount = 0;

  constructor(private readonly about: Audited) {}

  alone(row: Lone): void {
    this.rowCount += 1;
    if (this.rows.length < KEPT) this.rows.push(row);
  }

  async run(buckets: Buckets): Promise<void> {
    for (const group of buckets.groups()) for (const held of group.values()) this.judge(held);
    await this.pair();
  }

  private judge(held: readonly Held[]): void {
    const { findings } = this.about;
    const of = (...holders: Held['holder'][]) => held.filter(({ holder }) => holders.includes(holder));
    const [leaves, rows] = [of('leaf'), of('consent', 'fact')];
    const [pending, erased] = [of('pending'), of('erased', 'erasing')];
    const [row, leaf] = [rows[0], leaves[0]];
    if (leaves.length + pending.length > 1) {
      const numbers = leaves.map((one) => one.leaf).join(' and ') || 'what waits';
      const name = row === undefined ? '' : ` (${nameOf(row)})`;
      findings.add(
        'twice',
        `leaf ${numbers}${pending.length > 0 ? ' and what waits' : ''}: sealed twice${name}`,
      );
    }
    for (const copy of rows.slice(1)) findings.add('inserted', `${nameOf(copy)} is a copy of another one`);
    if (row === undefined) {
      this.judgeGone({ leaf, pending, erased });
      return;
    }
    if (leaf === undefined && pending.length === 0) {
      this.alone({
        holder: row.holder as Lone['holder'],
        id: row.id ?? '',
        at: row.at ?? 0,
        isGone: false,
      });
      return;
    }
    if (of('erased').length > 0)
      findings.add('returned', `${nameOf(row)} is there again, though an erasure that was sealed took it`);
    if (leaf !== undefined) this.judgeTime(row, leaf);
  }

  private judgeGone({
    leaf,
    pending,
    erased,
  }: {
    leaf: Held | undefined;
    pending: Held[];
    erased: Held[];
  }): void {
    if (erased.length > 0) {
      if (leaf === undefined && pending.length === 0)
        this.about.findings.add('erasure', 'ledger_erased: an erasure names a record that was never sealed');
      else if (leaf !== undefined) this.judgeErased(leaf, erased);
      return;
    }
    if (leaf === undefined) {
      this.about.findings.add('deleted', 'a record that waits to be sealed is gone');
      return;
    }
    this.leafCount += 1;
    if (this.leaves.length < KEPT) this.leaves.push(leaf);
  }

  /** Retention takes no record before its time, whatever the row of the site said for a while. */
  private judgeErased(
    { leaf, first: stated = 0, last = 0, floor = 0, imported }: Held,
    erased: readonly Held[],
  ): void {
    // That of its segment could be set to long ago, but for what was sealed before it by a clock that was right.
    const first = floor <= last ? Math.max(stated, floor - OUT_OF_ORDER) : stated;
    // Form consents from before the log stand at the time of their import.
    if (imported || erased.some(({ at = 0 }) => first < at)) return;
    this.about.findings.add(
      'erasure',
      `leaf ${leaf}, of a record of ${iso(first)} or later: retention erased it before the settings let it`,
    );
  }

  private judgeTime(row: Held, leaf: Held): void {
    const { findings } = this.about;
    const [at = 0, first = 0, last = 0, floor = 0] = [row.at, leaf.first, leaf.last, leaf.floor];
    if (at < first || at > last)
      findings.add('tree', `ledger_segments: leaf ${leaf.leaf} is not found at the time of ${nameOf(row)}`);
    if (row.imported !== leaf.imported)
      findings.add('tree', `ledger_segments: whether leaf ${leaf.leaf} was imported is wrong`);
    if (row.imported !== true && at < floor - OUT_OF_ORDER)
      findings.add(
        'backdated',
        `${nameOf(row)} is dated ${iso(at)}, but was sealed after records of ${iso(floor)}`,
      );
  }

  /** A record without a leaf beside a leaf without a record, of the same time, is one that was altered. */
  private async pair(): Promise<void> {
    const { findings } = this.about;
    const free = new Set(this.leaves);
    for (const row of this.rows) {
      const leaf =
        [...free].find((one) => lies(row.at, one)) ?? [...free].find((one) => lies(madeAt(row.id), one));
      if (leaf !== undefined) free.delete(leaf);
      const name = row.holder === 'consent' ? `consent ${row.id}` : await this.factName(row.id);
      if (row.isGone) findings.add('deleted', `${name}: what it is about is gone`);
      else if (leaf !== undefined)
        findings.add('altered', `${name} is not what leaf ${leaf.leaf} was made of`);
      else findings.add('inserted', `${name} is in no leaf: it was added later, or altered`);
    }
    const more = this.rowCount - this.rows.length;
    if (more > 0) findings.add('inserted', 'more records in no leaf', more);
    const unnamed = Math.max(0, this.leafCount - this.leaves.length - more);
    for (const { leaf, first = 0, last = 0 } of free)
      findings.add(
        'deleted',
        `leaf ${leaf}, of a record of ${iso(first)} to ${iso(last)}: no record, and no erasure`,
      );
    if (unnamed > 0) findings.add('deleted', 'more leaves without a record', unnamed);
  }

  private async factName(id: string): Promise<string> {
    const fact = await this.about
      .trx('ledger_facts')
      .where({ environment_id: this.about.site.id, fact_id: id })
      .first('kind', 'subject');
    return fact === undefined ? `fact ${id}` : `${fact.kind} ${fact.subject} (fact ${id})`;
  }
}

const lies = (at: number, { first = 0, last = 0 }: Held): boolean => first <= at && at <= last;
const nameOf = ({ holder, id }: Held): string => `${holder} ${id}`;
const iso = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : 'no time');
