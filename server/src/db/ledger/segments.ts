import type { Knex } from 'knex';

/** Leaves that one row may speak of. */
const MOST = 256;

/** When the records of some leaves that lie one after the other were stored, or dated. */
export interface Segment {
  first_leaf: number;
  leaves: number;
  first_at: Date;
  last_at: Date;
  imported: boolean;
}

/** Segments as few as can be: neighbours are joined up to 256 leaves. Those of imported records stay apart. */
export function joinSegments(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last === undefined || last.imported !== segment.imported || last.leaves + segment.leaves > MOST) {
      joined.push({ ...segment });
      continue;
    }
    last.leaves += segment.leaves;
    if (segment.first_at < last.first_at) last.first_at = segment.first_at;
    if (segment.last_at > last.last_at) last.last_at = segment.last_at;
  }
  return joined;
}

/** The last segment, which may still grow. */
export const lastSegment = (db: Knex, environment_id: string): Promise<Segment | undefined> =>
  db('ledger_segments').where({ environment_id }).orderBy('first_leaf', 'desc').first();

/** Writes segments, the first of which may be one that has grown. */
export async function writeSegments(
  trx: Knex,
  environment_id: string,
  segments: readonly Segment[],
): Promise<void> {
  const rows = segments.map(({ first_leaf, leaves, first_at, last_at, imported }) => ({
    ...{ environment_id, first_leaf, leaves, first_at, last_at, imported },
  }));
  for (let from = 0; from < rows.length; from += 1_000)
    await trx('ledger_segments')
      .insert(rows.slice(from, from + 1_000))
      .onConflict(['environment_id', 'first_leaf'])
      .merge(['leaves', 'first_at', 'last_at']);
}

/** How many segments of one instant are looked at, at most: thousands of writers would have to disagree on the time. */
const LOOKED_AT = 200;

/** The segments that an instant lies in, the earliest first. */
export const segmentsAt = (db: Knex, environment_id: string, at: Date): Promise<Segment[]> =>
  db('ledger_segments')
    .where({ environment_id })
    .where('last_at', '>=', at)
    .where('first_at', '<=', at)
    .orderBy('last_at')
    .limit(LOOKED_AT);
