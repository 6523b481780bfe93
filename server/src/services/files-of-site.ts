import type { Knex } from 'knex';
import type { Config } from '../config';
import { conflict } from '../domain/errors';

export const MIB = 1024 * 1024;
/** Files of a site, at most: what it has in all is added up for each new one. */
const MOST_OF_SITE = 10_000;
/** The advisory locks of new files, one for each site. */
const NEW_FILES = 730_590;

interface Sum {
  files: number;
  bytes: string;
}

/** How many files there are, and how large they are together. */
export async function sumOf(
  trx: Knex,
  table: 'attachments' | 'answer_files',
  where: object,
): Promise<{ files: number; bytes: number }> {
  const [sum] = await trx(table)
    .where(where)
    .select<Sum[]>(trx.raw('count(*)::int AS files'), trx.raw('coalesce(sum(bytes), 0) AS bytes'));
  return { files: sum?.files ?? 0, bytes: Number(sum?.bytes ?? 0) };
}

/** Throws 409 when a site would have too many files of requests, attachments and files of answers, or too large ones. */
export async function refuseFullSite(
  trx: Knex,
  environment_id: string,
  bytes: number,
  { filesOfSiteMb }: Config,
): Promise<void> {
  // One after the other: two new ones of different requests would each find room for one.
  await trx.raw('SELECT pg_advisory_xact_lock(?, hashtext(?))', [NEW_FILES, environment_id]);
  const attachments = await sumOf(trx, 'attachments', { environment_id });
  const answers = await sumOf(trx, 'answer_files', { environment_id });
  if (
    attachments.files + answers.files >= MOST_OF_SITE ||
    attachments.bytes + answers.bytes + bytes > filesOfSiteMb * MIB
  )
    throw conflict(
      `A site has at most ${MOST_OF_SITE} files of requests, attachments and files of answers, of ${filesOfSiteMb} MiB together: delete some of answered requests, or ask the server's operator for more (FILES_OF_SITE_MB).`,
    );
}
