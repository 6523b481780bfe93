import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { DAY_MS } from '../domain/time';
import { WORDS_STEP } from './consent-records';
import { listPartitions } from './partitions';

/** Words of a type that a site may have: beyond them decisions hold their texts. */
const MAX_WORDS = { k: 5_000, a: 5_000, p: 10_000 };
/** Days until words that nobody has used are looked for among the records, for the first time and again. */
const CHECK_DAYS = 30;
/** Days that a word was not used before it may be erased: longer than a process trusts in it. */
const UNUSED_DAYS = 2;
/** Words that are looked for at once, and records that are looked through at once. */
const CHECKED = 5_000;
const RECORDS = 200_000;
const IS_DUE = 'check_on <= :today::date AND used_on <= :unused::date';

/** A text of a site: a kind of decision as JSON, a browser, or a page. */
export interface WordKey {
  environment_id: string;
  type: keyof typeof MAX_WORDS;
  text: string;
  word: string;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const nameOf = ({ type, environment_id, text }: Omit<WordKey, 'word'>): string =>
  `${type}${environment_id}${text}`;

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The words of decisions in the database. */
export class WordStore {
  constructor(private readonly db: Knex) {}

  /** Whether records may name words: only after the step that older processes are refused by. */
  async mayName(): Promise<boolean> {
    return (await this.db('contract_steps').where({ name: WORDS_STEP }).first('name')) !== undefined;
  }

  /** Stores words, or says that they are still in use. The names of those that may be named from now on. */
  async keep(words: readonly WordKey[]): Promise<Set<string>> {
    const sites = new Map<string, WordKey[]>();
    for (const word of words)
      sites.set(word.environment_id, [...(sites.get(word.environment_id) ?? []), word]);
    const kept = new Set<string>();
    for (const [environment_id, own] of sites)
      for (const name of await this.keepOf(environment_id, own)) kept.add(name);
    return kept;
  }

  private async keepOf(environment_id: string, words: readonly WordKey[]): Promise<string[]> {
    // Sorted, so that two processes never deadlock.
    const fitting = (await this.withinBounds(environment_id, words)).sort((a, b) => order(a.word, b.word));
    // Of two with the same hash the first; an upsert may touch a row only once.
    const own = fitting.filter(({ word }, index) => word !== fitting[index - 1]?.word);
    const today = clock.now();
    const { rows } = await this.db.raw<{ rows: Pick<WordKey, 'type' | 'text' | 'word'>[] }>(
      `INSERT INTO consent_words AS w (environment_id, word, type, text, kind, used_on, check_on)
       SELECT :environment_id::uuid, word, type::"char", text, CASE WHEN type = 'k' THEN text::jsonb END, :today::date, :check::date
       FROM unnest(:words::bigint[], :types::text[], :texts::text[]) AS r (word, type, text)
       ON CONFLICT (environment_id, word) DO UPDATE SET used_on = greatest(w.used_on, excluded.used_on)
       RETURNING word::text, type, text`,
      {
        environment_id,
        words: own.map(({ word }) => word),
        types: own.map(({ type }) => type),
        texts: own.map(({ text }) => text),
        today: dayOf(today),
        check: dayOf(today + CHECK_DAYS * DAY_MS),
      },
    );
    // Of two texts with the same hash, which somebody may look for, the second is no word.
    return rows.map((row) => nameOf({ ...row, environment_id }));
  }

  /** Those that are stored, and new ones as far as the site may have more. */
  private async withinBounds(environment_id: string, words: readonly WordKey[]): Promise<WordKey[]> {
    const { rows } = await this.db.raw<{ rows: { word: string | null; type: WordKey['type']; n: number }[] }>(
      `SELECT type, count(*)::int AS n, NULL AS word FROM consent_words WHERE environment_id = :environment_id GROUP BY type
       UNION ALL SELECT type, 0, word::text FROM consent_words
       WHERE environment_id = :environment_id AND word = ANY (:words::bigint[])`,
      { environment_id, words: words.map(({ word }) => word) },
    );
    const there = new Set(rows.map(({ word }) => word));
    const left = { ...MAX_WORDS };
    for (const { type, n } of rows) left[type] -= n;
    return words.filter(({ word, type }) => {
      if (there.has(word)) return true;
      left[type] -= 1;
      return left[type] >= 0;
    });
  }
}

/** How words are erased: `fail` is told of each site where they cannot be. */
interface Erasing {
  signal?: AbortSignal | undefined;
  records?: number;
  fail?(error: unknown, environment_id: string): void;
}

/** Erases the words that no record names any more; how many. It looks through `records` records at a time. */
export async function eraseUnnamedWords(
  db: Knex,
  now: Date,
  { signal, records = RECORDS, fail = () => undefined }: Erasing = {},
): Promise<number> {
  const due = { today: dayOf(now.getTime()), unused: dayOf(now.getTime() - UNUSED_DAYS * DAY_MS) };
  const { rows: sites } = await db.raw<{ rows: { id: string }[] }>(
    `SELECT DISTINCT environment_id AS id FROM consent_words WHERE ${IS_DUE}`,
    due,
  );
  let erased = 0;
  const failures: unknown[] = [];
  for (const { id } of sites) {
    try {
      erased += await eraseUnnamedOf(db, { ...due, id }, now, records, signal);
    } catch (error) {
      // It must not stop the other sites, and the run has failed all the same.
      failures.push(error);
      fail(error, id);
    }
  }
  if (failures.length > 0) throw failures[0];
  return erased;
}

async function eraseUnnamedOf(
  db: Knex,
  due: { id: string; today: string; unused: string },
  now: Date,
  records: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { id } = due;
  let erased = 0;
  for (let checked = CHECKED; checked === CHECKED && !signal?.aborted; ) {
    const { rows } = await db.raw<{ rows: { word: string }[] }>(
      `SELECT word::text FROM consent_words WHERE environment_id = :id AND ${IS_DUE} LIMIT ${CHECKED}`,
      due,
    );
    checked = rows.length;
    const unnamed = new Set(rows.map(({ word }) => word));
    const named = await takeNamed(db, id, unnamed, records, signal);
    if (signal?.aborted) break;
    await db.raw(
      'UPDATE consent_words SET check_on = :next::date WHERE environment_id = :id AND word = ANY (:named::bigint[])',
      { id, named, next: dayOf(now.getTime() + CHECK_DAYS * DAY_MS) },
    );
    // Asked again: somebody may use it once more.
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM consent_words WHERE environment_id = :id AND word = ANY (:words::bigint[]) AND ${IS_DUE}`,
      { ...due, words: [...unnamed] },
    );
    erased += rowCount;
  }
  return erased;
}

/**
 * Takes out the words that records name, month by month, the newest first: most are found at once. A month is looked
 * through in parts, so that no statement outlives its limit.
 */
async function takeNamed(
  db: Knex,
  environmentId: string,
  words: Set<string>,
  records: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const named: string[] = [];
  const months = (await listPartitions(db)).filter(({ table }) => table === 'consents');
  for (const { start, end } of months.sort((a, b) => b.end.getTime() - a.end.getTime())) {
    for (let before: Date | undefined = end; before !== undefined; ) {
      if (words.size === 0 || signal?.aborted) return named;
      const part: { start: Date; end: Date } = { start, end: before };
      const from = await startOfPart(db, environmentId, part, records);
      const { rows } = await db.raw<{ rows: { word: string }[] }>(
        `SELECT DISTINCT named.word::text AS word
         FROM consents CROSS JOIN LATERAL (VALUES (kind), (agent), (page)) AS named (word)
         WHERE environment_id = :environmentId AND recorded_at >= :from AND recorded_at < :end
           AND named.word = ANY (:words::bigint[])`,
        { environmentId, from: from ?? start, end: before, words: [...words] },
      );
      for (const { word } of rows) if (words.delete(word)) named.push(word);
      before = from;
    }
  }
  return named;
}

/** When the last so many records of a time begin; undefined when there are not as many. */
async function startOfPart(
  db: Knex,
  environmentId: string,
  { start, end }: { start: Date; end: Date },
  records: number,
): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { recorded_at: Date }[] }>(
    `SELECT recorded_at FROM consents WHERE environment_id = :environmentId AND recorded_at >= :start AND recorded_at < :end
     ORDER BY recorded_at DESC OFFSET :records LIMIT 1`,
    { environmentId, start, end, records },
  );
  return rows[0]?.recorded_at;
}
