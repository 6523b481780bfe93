import type { Knex } from 'knex';
import type { ErasureNote } from './erasure-log';

/** Requests whose lines one transaction erases. */
const BATCH = 100;

/** Erases which systems were searched for requests; resolves with how many lines there were. */
export async function eraseSearches(
  db: Knex,
  environment_id: string,
  requests: readonly string[],
): Promise<number> {
  if (requests.length === 0) return 0;
  return db('request_searches')
    .where({ environment_id })
    .whereIn('request_id', [...requests])
    .delete();
}

/** Erases them in separately committed batches, each with its count. */
export async function eraseSearchesOf(note: ErasureNote, requests: readonly string[]): Promise<number> {
  let total = 0;
  for (let from = 0; from < requests.length; from += BATCH) {
    const some = requests.slice(from, from + BATCH);
    const { searches = 0 } = await note.inOne(async (trx) => ({
      searches: await eraseSearches(trx, note.environmentId, some),
    }));
    total += searches;
  }
  return total;
}

export async function countSearches(
  db: Knex,
  environment_id: string,
  requests: readonly string[],
): Promise<number> {
  if (requests.length === 0) return 0;
  const row = await db('request_searches')
    .where({ environment_id })
    .whereIn('request_id', [...requests])
    .count({ n: '*' })
    .first();
  return Number(row?.n ?? 0);
}
