import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { type Change, nameOf, type Records } from './record-tables';
import { backdateFact, copyFact, earlierId, type Key, restate, type Written } from './row-changes';
import { type Ground, holderOf, type Pair, type Place, pairOf } from './tampering-ground';
import { recode, relog } from './thief';

/** One tampering at one place, and what the audit must say of it: the begins of lines, as regular expressions. */
export interface Cell {
  table: string;
  change: Change;
  name: string;
  withKey: boolean;
  tamper(trx: Knex): Promise<unknown>;
  expected: readonly string[];
}

const CHANGES: readonly Change[] = ['insert', 'delete', 'swap', 'move', 'backdate'];

/** What is done to records: their rows alone, or with what lies beside them of what was sealed. */
class Tampered {
  constructor(
    private readonly ground: Ground,
    private readonly of: Records,
    private readonly pair: Pair,
    private readonly isWhole: boolean,
  ) {}

  private key(value: string): Key {
    return { environment_id: this.ground.site.id, [this.of.key]: value };
  }

  private get first(): string {
    return this.pair.keys[0];
  }

  /** @param written columns of the copy besides */
  async insert(trx: Knex, key: string, written: Written): Promise<void> {
    const { site, rows } = this.ground;
    const { table, key: column, kind } = this.of;
    await rows.copy(trx, table, this.key(this.first), { [column]: key, ...written });
    if (!this.isWhole || kind === undefined) return;
    const id = key.replaceAll("'", '');
    await copyFact(trx, site, kind, [this.first, id]);
    await restate(trx, site, kind, id);
  }

  async delete(trx: Knex): Promise<void> {
    const { site, rows } = this.ground;
    const { table, kind } = this.of;
    await rows.remove(trx, table, this.key(this.first));
    if (!this.isWhole || kind === undefined) return;
    await trx('ledger_facts').where({ environment_id: site.id, kind, subject: this.first }).delete();
    if (kind === 'erasure')
      await trx('ledger_erased').where({ environment_id: site.id, erasure_id: this.first }).delete();
  }

  async swap(trx: Knex, columns: readonly string[]): Promise<void> {
    const { site, rows } = this.ground;
    const { table, kind } = this.of;
    const [a, b] = this.pair.keys;
    await rows.swap(trx, table, [this.key(a), this.key(b)], columns);
    if (this.isWhole && kind !== undefined) for (const key of [a, b]) await restate(trx, site, kind, key);
  }

  async move(trx: Knex): Promise<void> {
    const { site, other, rows } = this.ground;
    const { table, kind } = this.of;
    await rows.move(trx, table, this.key(this.first), other.id);
    if (!this.isWhole || kind === undefined) return;
    const where = { environment_id: site.id, kind, subject: this.first };
    await trx('ledger_facts').where(where).update({ environment_id: other.id });
    if (kind === 'erasure')
      await trx('ledger_erased')
        .where({ environment_id: site.id, erasure_id: this.first })
        .update({ environment_id: other.id });
    await restate(trx, other, kind, this.first);
  }

  async backdate(trx: Knex): Promise<void> {
    const { site, rows } = this.ground;
    const { table, kind, earlier = {} } = this.of;
    await rows.write(trx, table, this.key(this.first), earlier);
    if (!this.isWhole || kind === undefined) return;
    const fact = await trx('ledger_facts')
      .where({ environment_id: site.id, kind, subject: this.first })
      .first('fact_id');
    await backdateFact(trx, site, fact.fact_id);
    await restate(trx, site, kind, this.first);
  }
}

/** The log is written anew, with what its records say now. */
export async function signed(
  { server, site, held }: Ground,
  trx: Knex,
  tamper: Promise<unknown>,
  beside?: string,
): Promise<void> {
  await tamper;
  await recode(trx, site);
  await relog(server, trx, site, held, beside);
}

/** The same of both sites. */
export async function signedTwice(ground: Ground, trx: Knex, tamper: Promise<unknown>): Promise<void> {
  const { server, other, heldByOther } = ground;
  await signed(ground, trx, tamper);
  await recode(trx, other);
  await relog(server, trx, other, heldByOther);
}

/** Every tampering with the rows of a table. */
export const recordCells = (ground: Ground, of: Records): Cell[] =>
  [...withoutKey(ground, of), ...withKey(ground, of, 'handed out'), ...withKey(ground, of, 'later')].filter(
    ({ change }) =>
      (of.changes ?? CHANGES).includes(change) && (change !== 'backdate' || of.earlier !== undefined),
  );

type Add = (change: Change, name: string, tamper: Cell['tamper'], expected: string[]) => void;

const adder =
  (cells: Cell[], of: Records, key?: Place): Add =>
  (change, name, tamper, expected) => {
    const how = key === undefined ? '' : `, ${key}, with the key`;
    const cell = { table: of.table, change, tamper, expected, withKey: key !== undefined };
    cells.push({ ...cell, name: `${nameOf(of)}: ${change} ${name}${how}` });
  };

/** By rows alone, and by rows with their facts: it makes no difference who has seen a head. */
function withoutKey(ground: Ground, of: Records): Cell[] {
  const cells: Cell[] = [];
  const add = adder(cells, of);
  const { table, kind, isKept = false, groups } = of;
  const pair = pairOf(ground, nameOf(of), 'later');
  const row = new Tampered(ground, of, pair, false);
  const whole = new Tampered(ground, of, pair, true);
  const [a, b] = pair.named ?? pair.keys;
  const leaf = `deleted: leaf ${pair.leaves[0]}, `;
  const key = of.newKey(pair.keys[0]);
  const id = key.replaceAll("'", '');
  const altered = [changed(of, a), changed(of, b)];
  if (table === 'consents') {
    const inserted = [`inserted: consent ${id} is in no leaf`];
    const blinding = `'${randomUUID()}'`;
    add('insert', 'a copy with another blinding', (trx) => row.insert(trx, key, { blinding }), inserted);
    add('insert', 'a copy with the blinding', (trx) => row.insert(trx, key, {}), inserted);
    const bare = [`inserted: consent ${id} has no blinding`];
    add('insert', 'a copy without a blinding', (trx) => row.insert(trx, key, { blinding: 'NULL' }), bare);
    add('move', 'a row', (trx) => row.move(trx), [leaf, `inserted: consent ${a} is in no leaf`]);
  } else {
    const isErasure = kind === 'erasure';
    const inserted = isErasure ? `erasure ${id} was never sealed` : `${table} ${id}: nothing sealed it`;
    add('insert', 'a copy', (trx) => row.insert(trx, key, {}), isMadeOf(of) ? [] : [`inserted: ${inserted}`]);
    add('move', 'a row', (trx) => row.move(trx), [gone(of, a)]);
  }
  add('delete', 'a row', (trx) => row.delete(trx), [table === 'consents' ? leaf : gone(of, a)]);
  for (const [name, columns] of Object.entries(groups))
    add('swap', name, (trx) => row.swap(trx, columns), altered);
  add('backdate', 'a row', (trx) => row.backdate(trx), [changed(of, a)]);
  if (kind === undefined) return cells;
  const [one, two] = [`${kind} ${a} \\(fact `, `${kind} ${b} \\(fact `];
  // The parts of a version are not at the other site.
  const there = kind === 'settings' ? `deleted: ${one}` : `inserted: ${one}`;
  add('insert', 'a copy with a fact', (trx) => whole.insert(trx, key, {}), [
    `inserted: ${kind} ${id} \\(fact `,
  ]);
  add('delete', 'a row with its fact', (trx) => whole.delete(trx), [leaf]);
  add('move', 'a row with its fact', (trx) => whole.move(trx), [leaf, there]);
  add('backdate', 'a row with its fact', (trx) => whole.backdate(trx), [`(altered|inserted): ${one}`]);
  if (isKept)
    for (const [name, columns] of Object.entries(groups))
      add('swap', `${name}, with the facts`, (trx) => whole.swap(trx, columns), [
        `altered: ${one}`,
        `altered: ${two}`,
      ]);
  return cells;
}

/** Whether statements are made of it, and none is about it. */
const isMadeOf = ({ table }: Records): boolean => table === 'consent_words' || table === 'settings_parts';

const ABOUT: Record<string, string> = { dsar: 'request', breach: 'breach' };

/** What is said of a row that was changed. */
function changed({ table, kind }: Records, key: string): string {
  if (kind === 'erasure') return `erasure: erasure ${key} is not as it was sealed`;
  if (table === 'settings_parts') return `altered: settings ${key} \\(fact `;
  return `altered: (the history of )?${ABOUT[kind ?? ''] ?? kind ?? 'consent'} ${key} `;
}

/** What is said of a record whose time is not the one in its id. */
const misdated = ({ kind }: Records, key: string): string =>
  `altered: ${kind?.replace('_', ' ') ?? 'consent'} ${key}: recorded_at is not exactly the time in its id`;

/** What is said of a row that is gone: of a word, and of a part, what was made of it. */
function gone({ table, kind, isKept = false }: Records, key: string): string {
  if (table === 'consent_words') return `altered: consent ${key} `;
  if (isKept) return `deleted: ${table} ${key}: its steps are sealed`;
  return `deleted: ${kind ?? 'settings'} ${key} \\(fact .*what it is about is gone`;
}

/** By rows with their facts, and a log that is written anew. */
function withKey(ground: Ground, of: Records, place: Place): Cell[] {
  const cells: Cell[] = [];
  const add = adder(cells, of, place);
  const { table, kind, groups } = of;
  const pair = pairOf(ground, nameOf(of), place);
  const [a, b] = pair.named ?? pair.keys;
  const one = new Tampered(ground, of, pair, true);
  const isLater = place === 'later';
  const forked = `forked: the checkpoint of ${ground.site.handedOut} leaves`;
  /** Of what nobody has seen only what contradicts itself is found. */
  const found = (later: string[] = []): string[] => (isLater ? later : [forked]);
  const key = of.newKey(pair.keys[0]);
  const written: Written = table === 'consents' ? { blinding: `'${randomUUID()}'` } : {};
  const holder = holderOf(ground, pair.leaves[0]) ?? '';
  const beside = isLater || isMadeOf(of) ? undefined : holder;
  const script = (hash: string): string => `altered: bundle ${hash}: its script, texts or vendors are not`;
  const isBundle = kind === 'bundle';
  const isPart = table === 'settings_parts';
  const partless = gone({ ...of, kind: 'settings' }, a);
  add(
    'insert',
    'a copy',
    (trx) => signed(ground, trx, one.insert(trx, key, written), beside),
    isMadeOf(of) ? [] : found(isBundle ? [script(key.replaceAll("'", ''))] : []),
  );
  add('delete', 'a row', (trx) => signed(ground, trx, one.delete(trx)), found(isPart ? [partless] : []));
  for (const [name, columns] of Object.entries(groups)) {
    const ofScript = isBundle && (name === 'script' || name === 'files');
    const ofTime = columns.includes('recorded_at');
    const later = ofScript ? [script(a), script(b)] : ofTime ? [misdated(of, a), misdated(of, b)] : [];
    add('swap', name, (trx) => signed(ground, trx, one.swap(trx, columns)), found(later));
  }
  const elsewhere = kind === 'erasure' ? ['erasure: ledger_erased: an erasure names a record that was'] : [];
  add(
    'move',
    'a row',
    (trx) => signedTwice(ground, trx, one.move(trx)),
    found(isPart || kind === 'settings' ? [partless] : elsewhere),
  );
  const dated = `backdated: ${kind === undefined ? `consent ${a}` : `fact ${earlierId(holder)}`} `;
  add('backdate', 'a row', (trx) => signed(ground, trx, one.backdate(trx)), found([dated]));
  return cells;
}
