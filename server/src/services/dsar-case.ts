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
import { clock } from '../domain/clock';
import type { FileStore } from '../files/file-store';
import type { PackedFile } from '../ledger/pack/zip';
import { answerFilesOf } from './answer-files';
import { attachmentsOf } from './attachments';
import { dsarProof } from './dsar-proof';
import { commentView } from './dsar-view';
import { mailView, shownOf } from './mail-view';
import { linesOf, lineView } from './search-lists';
import type { SessionView } from './session-view';

/** Mails of a case, at most. */
const MOST_MAILS = 100;

type Wiring = { db: Knex } & Pick<Context, 'vault' | 'mail'>;

/** Everything of a request. What belongs to a case besides is added here and to `DsarCase`. */
export async function caseOf(
  wiring: Wiring,
  environment: EnvironmentRow,
  row: DsarRow,
  { sessions, readsMails }: { sessions: SessionView; readsMails: boolean },
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
  const comments = await DsarCommentRow.query(db).where({ environment_id, request_id }).orderBy('comment_id');
  return {
    site: { token, name, domain, time_zone: settings.time_zone },
    generated_at: clock.date().toISOString(),
    request: await dsarProof(wiring, environment, row, sessions),
    searches: lines.map(lineView),
    comments: comments.map(commentView),
    attachments: await attachmentsOf(db, row),
    answer_files: await answerFilesOf(db, row),
    mails: readsMails ? mails.slice(0, MOST_MAILS).map((mail) => mailView(mail, shownOf(vault, mail))) : null,
    mails_left_out: mails.length > MOST_MAILS,
  };
}

type Case = Awaited<ReturnType<typeof caseOf>>;

/** The files of the archive of a case: what it says, its files, and their hashes. */
export async function* filesOfCase(
  db: Knex,
  store: FileStore,
  row: DsarRow,
  about: Case,
): AsyncGenerator<PackedFile> {
  yield { name: 'case.json', content: [`${JSON.stringify(about, null, 2)}\n`] };
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
