import type { Knex } from 'knex';
import type { Mailbox } from '../../config/mail';
import type { Logger } from '../../observability/logger';
import { isMark } from '../mail-mark';
import { type ImapError, type Mark, readMailbox } from './mailbox';
import { noteBounce } from './note-bounce';
import { type BounceReport, readReport } from './read-report';

interface Wiring {
  db: Knex;
  log: Logger;
  mailbox: Mailbox;
  secret(): Promise<Buffer>;
  /** A certificate trusted besides the system's, in PEM. */
  ca: string | undefined;
  onBounce(): void;
}

/** Looks for mails that came back since the last look. */
export type BounceReader = (signal: AbortSignal) => Promise<void>;

/** How far it has read is kept in memory only: to read a report again changes nothing. */
export function createBounceReader({ db, log, mailbox, secret, ca, onBounce }: Wiring): BounceReader {
  let mark: Mark | undefined;
  /** What was not the mailbox's fault. */
  let failure: unknown;
  const note = async (report: BounceReport) => {
    try {
      // Anybody can write to the mailbox, and the ids of mails stand in the console.
      return isMark(await secret(), report.mailId, report.mark) ? await noteBounce(db, report) : undefined;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const take = async (source: Buffer): Promise<void> => {
    const report = await readReport(source);
    const mail = report === undefined ? undefined : await note(report);
    if (mail === undefined) return;
    onBounce();
    log.info({ mail_id: mail.mail_id, kind: mail.kind, status: report?.status }, 'a mail came back');
  };
  return async (signal) => {
    const onMark = (reached: Mark): void => {
      mark = reached;
    };
    failure = undefined;
    try {
      await readMailbox(mailbox, { ca, mark, signal, take, onMark });
    } catch (error) {
      if (failure !== undefined) throw failure;
      if (signal.aborted) return;
      log.warn(
        { reason: reasonOf(error as ImapError) },
        'the mailbox of BOUNCES_URL could not be read; the next look is soon, and npm run doctor says what to do',
      );
    }
  };
}

/** Its words are left out: they may repeat the log-in. */
function reasonOf({ code, name, authenticationFailed, tlsFailed }: ImapError): string {
  if (authenticationFailed === true) return 'the log-in was refused';
  return tlsFailed === true ? 'there is no STARTTLS' : (code ?? name);
}
