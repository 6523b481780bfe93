import type { Knex } from 'knex';
import { groupOf, type StoredGroup } from '../db/ledger/pending';
import { isGenuine } from '../domain/ledger/group';
import { HASH_BYTES } from '../domain/ledger/hash';
import { type LoggedSite, type LogOptions, OpenLog } from './log';

/** Groups that are read at once, and leaves after which a transaction ends: no lock or memory is held for long. */
const GROUPS = 200;
const LEAVES = 16_384;

/** What sealing needs besides the database. */
export interface SealOptions extends LogOptions {
  /** By which groups are known as ours. */
  groupKey: Buffer;
}

/** What a transaction sealed. */
export interface SealedPart {
  groups: number;
  leaves: number;
  /** How many leaves the log had before. */
  size: number;
  /** Groups with a wrong code: no server of this secret wrote them, or not so. */
  forged: string[];
  /** Whether everything was looked at. */
  isDone: boolean;
}

/** Seals what waits of a site, the oldest first, in one transaction. */
export const sealSome = (db: Knex, site: LoggedSite, options: SealOptions): Promise<SealedPart> =>
  db.transaction(async (trx) => {
    const log = await OpenLog.of(trx, site, options);
    const part: SealedPart = { groups: 0, leaves: 0, forged: [], isDone: false, size: log.head.size };
    while (!part.isDone && part.leaves < LEAVES) {
      const ids = await waitingIn(trx, site.id, part.forged);
      for (let from = 0; from < ids.length && part.leaves < LEAVES; from += GROUPS)
        await sealPage(trx, log, ids.slice(from, from + GROUPS), { site, options, part });
      part.isDone = ids.length < LEAVES && part.leaves < LEAVES;
    }
    if (part.groups > 0 || log.isHandedOver) await log.close();
    return part;
  });

/**
 * What waits, in one look: were each page a look of its own, a later one could show a step whose former one was
 * committed, under an earlier id, after that id's page was read.
 */
const waitingIn = (trx: Knex, environment_id: string, forged: readonly string[]): PromiseLike<string[]> =>
  trx('ledger_pending')
    .where({ environment_id })
    .whereRaw('group_id <> ALL (?::uuid[])', [[...forged]])
    .orderBy('group_id')
    .limit(LEAVES)
    .pluck('group_id');

async function sealPage(
  trx: Knex,
  log: OpenLog,
  ids: readonly string[],
  { site, options, part }: { site: LoggedSite; options: SealOptions; part: SealedPart },
): Promise<void> {
  const rows: StoredGroup[] = await trx('ledger_pending')
    .where({ environment_id: site.id })
    .whereIn('group_id', [...ids])
    .orderBy('group_id');
  const sealed: string[] = [];
  for (const row of rows) {
    const { group_id, leaves, first_at, last_at } = row;
    if (!isGenuine(options.groupKey, groupOf(row), row.mac)) {
      part.forged.push(group_id);
      continue;
    }
    await log.append({ commitments: leaves, first_at, last_at });
    part.leaves += leaves.length / HASH_BYTES;
    sealed.push(group_id);
  }
  part.groups += sealed.length;
  await trx('ledger_pending').where({ environment_id: site.id }).whereIn('group_id', sealed).delete();
}
