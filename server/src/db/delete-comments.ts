import type { Knex } from 'knex';

/** Deletes what members wrote about requests, in the transaction that erases these. */
export async function deleteComments(
  trx: Knex,
  environment_id: string,
  requests: readonly string[],
): Promise<void> {
  if (requests.length === 0) return;
  await trx('dsar_comments')
    .where({ environment_id })
    .whereIn('request_id', [...requests])
    .delete();
}
