import type { Knex } from 'knex';
import type { Config } from '../config';
import { headOf, isBehind } from '../db/ledger/heads';
import { vkeyOf } from '../domain/ledger/note';
import { allKeys } from './keys';
import { keysOfLog } from './succession';
import { viewVouchers } from './view-vouchers';

/** A key with which a log was signed, as verifiers take it. */
export interface LogKeyView {
  vkey: string;
  from: string;
  until: string | null;
  successor_signature: string | null;
}

/** The keys of a log up to a head, oldest first; empty before it begins. */
export async function viewKeys(
  db: Knex,
  environmentId: string,
  known?: Awaited<ReturnType<typeof headOf>>,
): Promise<LogKeyView[]> {
  const head = known ?? (await headOf(db, environmentId));
  if (head === undefined) return [];
  const keys = await allKeys(db);
  let from = head.began_at;
  const chain = await keysOfLog(db, head);
  // Handed over since the head was read: it is signed by the key of before.
  if (chain.at(-2)?.key_id === head.key_id) chain.splice(-2, 1);
  return chain.flatMap(({ key_id, until, signature }) => {
    const key = keys.get(key_id);
    if (key === undefined) return [];
    const view = {
      vkey: vkeyOf(head.origin, key.public_key),
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
      successor_signature: signature?.toString('base64') ?? null,
    };
    from = until ?? from;
    return [view];
  });
}

/** A site's log as the API shows it. */
export async function viewLog(
  db: Knex,
  environmentId: string,
  { isPublished, isMember, config }: { isPublished: boolean; isMember: boolean; config: Config },
) {
  const head = await headOf(db, environmentId);
  const keys = await viewKeys(db, environmentId);
  const isShown = head !== undefined && (isPublished || isMember);
  return {
    origin: head?.origin ?? null,
    size: isShown ? head.size : null,
    root: isShown ? head.root.toString('base64') : null,
    sealed_at: isShown ? head.sealed_at.toISOString() : null,
    // When a site records something is nobody's business either.
    behind: (isPublished || isMember) && (await isBehind(db, environmentId)),
    published: isPublished,
    keys,
    checkpoint: isShown ? head.note : null,
    imported_on: isShown ? (head.imported_on?.toISOString() ?? null) : null,
    ...(isShown ? await viewVouchers(db, environmentId, config) : { witnesses: [], timestamps: [] }),
  };
}
