import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { Context } from '../context';
import {
  AnswerFileRow,
  AttachmentRow,
  DsarCommentRow,
  type DsarRow,
  type EnvironmentRow,
  MailRow,
} from '../db/models';
import { readLight } from '../db/paging';
import { clock } from '../domain/clock';
import type { HistoryEntry } from '../domain/types';
import type { FileStore } from '../files/file-store';
import type { PackedFile } from '../ledger/pack/zip';
import { answerFilesOf } from './answer-files';
import { attachmentsOf } from './attachments';
import { dsarProof } from './dsar-proof';
import { commentView } from './dsar-view';
import { inLines } from './json-lines';
import { mailView, shownOf } from './mail-view';
import { linesOf, lineView } from './search-lists';
import type { SessionView } from './session-view';

/** Mails of a case, at most. */
const MOST_MAILS = 100;
/** Bytes of comments, and of the history, that are sent at once; the entry that exceeds them is the last. */
const MOST_TEXT = 1024 * 1024;
const COMMENTS_AT_ONCE = 50;

type Wiring = { db: Knex } & Pick<Context, 'vault' | 'mail'>;

/** Who reads it. */
interface Reading {
  sessions: SessionView;
  readsMails: boolean;
}

/** Everything of a request that an answer has room for. */
export async function caseOf(wiring: Wiring, environment: EnvironmentRow, row: DsarRow, reading: Reading) {
  const all = await withoutComments(wiring, environment, row, reading);
  const history = newestOf(all.request.history);
  const newest = await newestComments(wiring.db, row);
  return {
    ...all,
    request: { ...all.request, history },
    ...newest,
    history_left_out: all.request.history.length - history.length,
  };
}

/** Everything of a request, of which the comments are read when it is their turn. */
export async function wholeCaseOf(
  wiring: Wiring,
  environment: EnvironmentRow,
  row: DsarRow,
  reading: Reading,
) {
  const all = await withoutComments(wiring, environment, row, reading);
  return { ...all, comments: allComments(wiring.db, row), comments_left_out: 0, history_left_out: 0 };
}

/** What belongs to a case besides is added here and to `DsarCase`. */
async function withoutComments(
  wiring: Wiring,
  environment: EnvironmentRow,
  row: DsarRow,
  { sessions, readsMails }: Reading,
) {
  const { db, vault } = wiring;
  const { token, name, domain, settings } = environment;
  const { environment_id, request_id } = row;
  const mails = readsMails
    ? await MailRow.query(db)
        .where({ environment_id, request_id, audience: 'visitor' })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'mail_id', order: 'desc' },
        ])
        .limit(MOST_MAILS + 1)
    : [];
  const lines = await linesOf(db, environment_id, request_id);
  return {
    site: { token, name, domain, time_zone: settings.time_zone },
    generated_at: clock.date().toISOString(),
    request: await dsarProof(wiring, environment, row, sessions),
    searches: lines.map(lineView),
    attachments: await attachmentsOf(db, row),
    answer_files: await answerFilesOf(db, row),
    mails: readsMails ? mails.slice(0, MOST_MAILS).map((mail) => mailView(mail, shownOf(vault, mail))) : null,
    mails_left_out: mails.length > MOST_MAILS,
  };
}

/** The newest entries of a history that have so much text, in their order. */
function newestOf(history: readonly HistoryEntry[]): HistoryEntry[] {
  let left = MOST_TEXT;
  let first = history.length;
  while (first > 0 && left > 0) {
    first -= 1;
    left -= Buffer.byteLength(JSON.stringify(history[first]));
  }
  return history.slice(first);
}

/** The newest comments that have so much text, in their order, and how many there are before them. */
async function newestComments(db: Knex, { environment_id, request_id }: DsarRow) {
  const query = DsarCommentRow.query(db).where({ environment_id, request_id });
  const total = await query.clone().resultSize();
  const { rows } = await readLight(query.orderBy('comment_id', 'desc'), {
    ...{ order: ['comment_id'] as const, direction: 'desc' as const, bytes: MOST_TEXT },
  });
  return {
    comments: rows.map(commentView).reverse(),
    comments_left_out: Math.max(0, total - rows.length),
  };
}

async function* allComments(db: Knex, { environment_id, request_id }: DsarRow) {
  let after: string | undefined;
  do {
    const query = DsarCommentRow.query(db).where({ environment_id, request_id });
    if (after !== undefined) query.where('comment_id', '>', after);
    const rows = await query.orderBy('comment_id').limit(COMMENTS_AT_ONCE);
    yield* rows.map(commentView);
    after = rows.length < COMMENTS_AT_ONCE ? undefined : rows.at(-1)?.comment_id;
  } while (after !== undefined);
}

type WholeCase = Awaited<ReturnType<typeof wholeCaseOf>>;

/** The files of the archive of a case: what it says, its files, and their hashes. */
export async function* filesOfCase(
  db: Knex,
  store: FileStore,
  row: DsarRow,
  about: WholeCase,
): AsyncGenerator<PackedFile> {
  yield { name: 'case.json', content: inLines(about) };
  const { environment_id, request_id } = row;
  const where = { environment_id, request_id };
  const kinds = [
    ['attachment', 'attachments', await AttachmentRow.query(db).where(where).orderBy('file_id')],
    ['answer', 'answer-files', await AnswerFileRow.query(db).where(where).orderBy('file_id')],
  ] as const;
  const whole = new Set(about.answer_files.filter(({ complete }) => complete).map(({ file_id }) => file_id));
  const sums: string[] = [];
  for (const [kind, folder, files] of kinds) {
    for (const [index, file] of files.entries()) {
      // Of an answer from before hashes were kept, it is computed now.
      const isWhole = file.sha256 !== null || whole.has(file.file_id);
      if (!isWhole) continue;
      const sha256 = file.sha256 ?? (await store.sha256(kind, file));
      // Numbered: two files may have one name.
      const name = `${folder}/${String(index + 1).padStart(3, '0')} ${file.name}`;
      sums.push(`${sha256.toString('hex')}  ${name}\n`);
      yield { name, content: opened(store.content(kind, file)) };
    }
  }
  yield { name: 'sha256sums.txt', content: sums };
}

/** Asked for when it is this file's turn. */
async function* opened(content: Promise<Readable>): AsyncGenerator<Buffer> {
  yield* await content;
}
