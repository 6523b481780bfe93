import type { Response } from 'express';
import type { Context } from '../../context';
import type { AnswerFileRow } from '../../db/models';
import { notFound } from '../../domain/errors';
import { FairTurns, TurnsOfEach } from '../../domain/fair-turns';
import { blockOf, networkOf } from '../../domain/mask';
import { downloadFile, inTurnOfReads, openFiles, type Place } from '../../services/mail/answer-access';
import type { Linked } from '../../services/mail/requester-links';
import { fileNames } from '../file-name';
import { sendContent } from '../files';
import { HELD } from '../reading';
import { PAGE_HEADERS } from './page';

/** Downloads at once of one block of addresses, and of all: each holds a part of a file for as long as it is read. */
const OF_EACH = new TurnsOfEach(4, { each: 8, all: 100, wait: 4_000 }, 200);
const OF_ALL = new FairTurns(64, { each: 50, all: 200, wait: 4_000 });

/** A file that somebody may have. */
export interface Wanted extends Linked {
  file_id: string;
}

/** One that is asked for now. */
interface Download extends Wanted, Place {}

/**
 * Sends a file of an answer, which is saved and never shown, whatever it is; false when there is none. Rejects with 429
 * and 503 where too much is read at once.
 */
export async function sendFile(context: Context, wanted: Download, response: Response): Promise<boolean> {
  const sender = [blockOf(wanted.address), networkOf(wanted.address)] as const;
  const isAwaited = (): boolean => OF_EACH.waitsOf(sender[0]) > 0 || OF_ALL.waits > 0;
  return OF_EACH.take(sender, () => OF_ALL.take(sender, () => send(context, wanted, response, isAwaited)));
}

async function send(
  context: Context,
  wanted: Download,
  response: Response,
  isAwaited: () => boolean,
): Promise<boolean> {
  const found = await downloadFile(context, wanted, wanted);
  if (found === undefined) return false;
  response.writeHead(200, headersOf(found.file));
  const check = async (): Promise<void> => {
    // Its request may be reopened, or its file deleted, while it is read.
    const present = await inTurnOfReads(wanted, () => openFiles(context.db, wanted.row));
    if (!present.some(({ file_id }) => file_id === wanted.file_id)) throw notFound('This file');
  };
  const { exchange } = response.locals;
  await sendContent(exchange, [found.content], { log: context.log, check, isAwaited, pace: HELD });
  return true;
}

const headersOf = ({ name, bytes, content_type }: AnswerFileRow) => ({
  ...PAGE_HEADERS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Content-Type': content_type,
  'Content-Length': bytes,
  'Content-Disposition': `attachment; ${fileNames(name)}`,
});
