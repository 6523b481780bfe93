import type { Knex } from 'knex';
import type { Mailbox } from '../../config/mail';
import type { Logger } from '../../observability/logger';
import { type Mark, readMailbox } from './mailbox';
import { noteBounce } from './note-bounce';
import { readReport } from './read-report';

interface Wiring {
  db: Knex;
  log: Logger;
  mailbox: Mailbox;
  /** A certificate trusted besides the system's, in PEM. */
  ca: string | undefined;
  onBounce(): void;
}

/** Looks for mails that came back since the last look. */
export type BounceReader = (signal: AbortSignal) => Promise<void>;

/** How far it has read is kept in memory only: to read a report again changes nothing. */
export function createBounceReader({ db, log, mailbox, ca, onBounce }: Wiring): BounceReader {
  let mark: Mark | undefined;
  const take = async (source: Buffer): Promise<void> => {
    const report = await readReport(source);
    const mail = report === undefined ? undefined : await noteBounce(db, report);
    if (mail === undefined) return;
    onBounce();
    log.info({ mail_id: mail.mail_id, kind: mail.kind, status: report?.status }, 'a mail came back');
  };
  return async (signal) => {
    const onMark = (reached: Mark): void => {
      mark = reached;
    };
    try {
      await readMailbox(mailbox, { ca, mark, signal, take, onMark });
    } catch (error) {
      if (signal.aborted) return;
      // Its words may repeat the log-in.
      const { code, name } = error as Error & { code?: string };
      log.warn(
        { reason: code ?? name },
        'the mailbox of BOUNCES_URL could not be read; the next look is soon',
      );
    }
  };
}
