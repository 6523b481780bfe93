import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { Context } from '../../context';
import { AnswerFileRow, type DsarRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { FairTurns } from '../../domain/fair-turns';
import { DOWNLOADED } from '../../domain/history';
import { DAY_MS, MINUTE_MS } from '../../domain/time';
import type { Site } from '../../ingest/site';
import { ANSWER_CODE } from '../../mail/limits';
import { type Linked, lockRequest, noteStep } from './requester-links';
import { mailCode } from './requester-mails';

/** For how long a code opens the files, how many wrong ones it bears, and how many are sent in 24 hours. */
const CODE_MS = 15 * MINUTE_MS;
const ATTEMPTS = 5;
const CODES_PER_DAY = 5;

type Wiring = Pick<Context, 'db' | 'mail'>;

/** Looks at files that are being sent, at once: makers of sites take turns, then sites, then answers. */
const READS = new FairTurns(2, { each: 100, all: 400 });

/** Where a download comes from, and to what site it belongs. */
export interface Place {
  place: Pick<Site, 'id' | 'maker'>;
  address: string;
}

/** Looks at a file that is being sent when it is its answer's turn. */
export const inTurnOfReads = <Result>(
  { place, row }: Linked & Place,
  read: () => Promise<Result>,
): Promise<Result> => READS.take([place.maker, place.id, row.request_id], read);

/** The files of an answer that can still be downloaded. */
export const openFiles = (db: Knex, { environment_id, request_id }: DsarRow): Promise<AnswerFileRow[]> =>
  AnswerFileRow.query(db)
    .where({ environment_id, request_id })
    .where('expires_at', '>', clock.date())
    .orderBy('file_id')
    .execute();

async function hashOf(
  wiring: Wiring,
  { environment_id, request_id }: DsarRow,
  code: string,
): Promise<Buffer> {
  const text = JSON.stringify(['code', environment_id, request_id, code]);
  return createHmac('sha256', await wiring.mail.secret())
    .update(text)
    .digest();
}

/** Ends the transaction of a code that is not mailed. */
class CodeWithheld extends Error {}

/** Mails a new code, which ends the one before; false when too many were sent, or a limit keeps it back. */
export async function sendCode(wiring: Wiring, linked: Linked): Promise<boolean> {
  try {
    return await newCode(wiring, linked);
  } catch (error) {
    if (error instanceof CodeWithheld) return false;
    throw error;
  }
}

async function newCode(wiring: Wiring, { site, row }: Linked): Promise<boolean> {
  const code = String(randomInt(100_000_000)).padStart(8, '0');
  const code_hash = await hashOf(wiring, row, code);
  return wiring.db.transaction(async (trx) => {
    const present = await lockRequest(trx, site, row.request_id);
    if (present === undefined || present.status !== 'resolved') return false;
    const { environment_id, request_id } = present;
    const sent = await trx('mails')
      .where({ environment_id, request_id, kind: ANSWER_CODE })
      .where('created_at', '>', new Date(clock.now() - DAY_MS))
      .select('mail_id')
      .limit(CODES_PER_DAY);
    if (sent.length === CODES_PER_DAY) return false;
    const expires_at = new Date(clock.now() + CODE_MS);
    await trx('answer_codes')
      .insert({ environment_id, request_id, code_hash, expires_at, attempts: 0 })
      .onConflict(['environment_id', 'request_id'])
      .merge();
    const state = await mailCode(wiring.mail, trx, site, present, { code, expiresAt: expires_at });
    // The code of before stays good.
    if (state === 'withheld') throw new CodeWithheld();
    return true;
  });
}

/** Whether a code opens the files; a wrong one is counted, and the fifth ends the code. */
export async function isCode(wiring: Wiring, { row }: Linked, code: string): Promise<boolean> {
  const { environment_id, request_id } = row;
  const given = await hashOf(wiring, row, code.replace(/\D/g, '').slice(0, 8));
  return wiring.db.transaction(async (trx) => {
    const key = { environment_id, request_id };
    const stored: { code_hash: Buffer | null; expires_at: Date; attempts: number } | undefined = await trx(
      'answer_codes',
    )
      .where(key)
      .forUpdate()
      .first('code_hash', 'expires_at', 'attempts');
    if (stored === undefined || stored.code_hash === null || stored.expires_at.getTime() < clock.now())
      return false;
    if (stored.attempts >= ATTEMPTS) return false;
    if (timingSafeEqual(stored.code_hash, given)) return true;
    await trx('answer_codes').where(key).increment('attempts', 1);
    return false;
  });
}

/** A file as it is downloaded, part by part; the first time is noted in the request's history. */
export async function downloadFile(
  wiring: Wiring & Pick<Context, 'turns' | 'fileStore'>,
  linked: Linked & Place,
  { file_id }: { file_id: string },
): Promise<{ file: AnswerFileRow; content: Readable } | undefined> {
  const { site, row, place, address } = linked;
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
    wiring.turns.take(place, address, work);
  const files = await inTurn(() => openFiles(wiring.db, row));
  const file = files.find((one) => one.file_id === file_id);
  if (file === undefined) return undefined;
  const content = await wiring.fileStore.content('answer', file);
  await inTurn(() =>
    wiring.db.transaction(async (trx) => {
      const present = await lockRequest(trx, site, row.request_id);
      const before = await file.$query(trx).select('downloads');
      await file.$query(trx).increment('downloads', 1);
      // Of downloads at once the first, whose request is locked.
      if (present !== undefined && before?.downloads === 0)
        await noteStep(trx, present, DOWNLOADED, file.name);
    }),
  );
  return { file, content };
}
