import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import { openNote } from '../domain/ledger/open-note';
import { MINUTE_MS } from '../domain/time';
import { NotVouched, type OfferedHead, type Vouching } from './voucher';

/** How old a head may be that is offered to a witness because another one has signed it, in milliseconds. */
const RECENT = 5 * MINUTE_MS;

/**
 * The head that a witness is asked about: the one that the others were asked about, in this run or some minutes ago, so that
 * their signatures meet on one head, which a receipt then has; otherwise the present one.
 * @param known leaves that the witness has signed: it is never offered as few of them again
 */
export async function offeredHead(
  { db, now, offered }: Vouching,
  environmentId: string,
  known: number,
): Promise<OfferedHead> {
  const ofThisRun = (): OfferedHead | undefined => {
    const head = offered.get(environmentId);
    return head !== undefined && head.size > known ? head : undefined;
  };
  const head = ofThisRun() ?? (await recentHead(db, environmentId, { known, now }));
  // Another witness may have come first meanwhile.
  const chosen = ofThisRun() ?? head;
  offered.set(environmentId, chosen);
  return chosen;
}

async function recentHead(
  db: Knex,
  environment_id: string,
  { known, now }: { known: number; now: Date },
): Promise<OfferedHead> {
  const head = await headOf(db, environment_id);
  if (head === undefined) throw new NotVouched('bad_answer', 'the log is gone');
  const present = { size: Number(head.size), note: head.note };
  const signed: { size: string; note: string } | undefined = await db('ledger_checkpoints as c')
    .join('ledger_cosignatures as w', (on) =>
      on.on('w.environment_id', 'c.environment_id').on('w.size', 'c.size'),
    )
    .where('c.environment_id', environment_id)
    .where('c.size', '>', known)
    .where('c.size', '<', present.size)
    .whereBetween('c.at', [new Date(now.getTime() - RECENT), now])
    .orderBy('c.size', 'desc')
    .first('c.size', 'c.note');
  // A witness may know the present key of the log alone.
  if (signed === undefined || keyIn(signed.note) !== keyIn(present.note)) return present;
  return { size: Number(signed.size), note: signed.note };
}

/** The id of the key that signed a checkpoint: the first line is the log's. */
const keyIn = (note: string): string | undefined => openNote(note)?.signatures[0]?.id;
