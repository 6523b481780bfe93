import type { Knex } from 'knex';
import { endsAll } from '../db/errors';
import { writeForSure } from '../db/write-for-sure';
import { clock } from '../domain/clock';
import { Running } from '../domain/running';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import type { Vault } from '../security/vault';
import { type ClaimedMail, claimMails, LEASE } from './claim-mails';
import { type MailContent, openContent, withSecrets } from './content';
import { type MailBacklog, measureMails } from './mail-backlog';
import { type MailLine, MailLines } from './mail-lines';
import { nameOf } from './mail-mark';
import { MailTroubles } from './mail-troubles';
import { MailTurns } from './mail-turns';
import { endMail, type MailResult, releaseMail, settleMail } from './settle-mail';
import { CONNECTIONS, type Smtp } from './smtp';

/** How often to look for mails, unless more are known to wait, and to measure what waits, in milliseconds. */
const SWEEP = 1_000;
const MEASURE = 5_000;
/** How long mails in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
const GRACE_TO_RELEASE = 2_000;

export interface MailSenderOptions {
  db: Knex;
  log: Logger;
  vault: Vault;
  /** Marks the mails, so that nobody else can say that one came back. */
  secret(): Promise<Buffer>;
  /** Undefined: nothing is sent. */
  smtp: Smtp | undefined;
  /** Seconds to wait after each refusal. */
  schedule: readonly number[];
  onMail?(result: MailResult): void;
  onBacklog?(backlog: MailBacklog): void;
}

/** Sends what waits in the outbox. Any number of processes share the work. */
export class MailSender {
  private readonly running = new Running();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private inFlight = 0;
  private sweeping = false;
  /** Whether the last look left mails behind that were due. */
  private moreWait = false;
  /** Whether it passed over a line whose places were taken, and whether a mail has ended since it began. */
  private waitsForPlace = false;
  private hasEnded = false;
  private stopped = true;
  private stoppedAt = 0;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private readonly lines: MailLines;
  private readonly turns = new MailTurns<MailLine>();
  private readonly troubles: MailTroubles;

  constructor(private readonly options: MailSenderOptions) {
    this.lines = new MailLines(options.db);
    this.troubles = new MailTroubles(options.schedule);
  }

  start(): void {
    if (this.options.smtp === undefined) return;
    this.stopped = false;
    this.sweepIn(0);
  }

  /** Stops claiming. */
  pause(): void {
    this.stopped = true;
    this.stoppedAt ||= performance.now();
    clearTimeout(this.timer);
  }

  /** Waits for mails in flight, breaks off those that take too long, and closes the connections. */
  async stop(): Promise<void> {
    this.pause();
    await this.running.idle(this.stoppedAt + GRACE - performance.now());
    this.stopping.abort();
    await this.running.idle(GRACE_TO_RELEASE);
    this.options.smtp?.close();
  }

  private sweepIn(delay: number): void {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.running.add(this.sweep()), delay);
  }

  private async sweep(): Promise<void> {
    const { db, log, onBacklog } = this.options;
    this.sweeping = true;
    try {
      await this.look();
      if (onBacklog !== undefined && performance.now() - this.measuredAt > MEASURE) {
        this.measuredAt = performance.now();
        onBacklog(await measureMails(db));
      }
    } catch (error) {
      logFailure(log, 'warn', { error }, 'mails could not be claimed; the next attempt is in a second');
    }
    this.sweeping = false;
    this.sweepIn(this.hasPlace() ? 0 : SWEEP);
  }

  /** Whether mails wait for the places that are free: half of them, so that one look fills several. */
  private hasPlace(): boolean {
    const wait = this.moreWait || (this.waitsForPlace && this.hasEnded);
    return wait && !this.troubles.isAway && this.inFlight <= CONNECTIONS;
  }

  /** A turn of each line that has something to send, as long as there is room. */
  private async look(): Promise<void> {
    this.moreWait = false;
    this.waitsForPlace = false;
    this.hasEnded = false;
    if (this.troubles.isResting) return;
    const hasPlace = (line: MailLine): boolean => {
      const has = this.troubles.placesOf(line) > 0;
      this.waitsForPlace ||= !has;
      return has;
    };
    const lines = await this.lines.find();
    this.troubles.see(lines);
    for (const line of this.turns.inOrder(lines, hasPlace)) {
      // One alone finds out whether an unreachable mail server is back.
      const room = this.troubles.isAway ? 1 - this.inFlight : CONNECTIONS * 2 - this.inFlight;
      if (this.stopped || room <= 0) {
        this.moreWait = true;
        return;
      }
      const most = Math.min(room, this.troubles.placesOf(line));
      const claimed = await this.claimOf(line, most);
      if (claimed.length === most || (claimed.length > 0 && this.lines.hasMore)) this.moreWait = true;
      this.inFlight += claimed.length;
      for (const one of claimed) this.running.add(this.sendOne(one, line));
    }
  }

  /** A line whose mails cannot be claimed keeps no other from its turn. */
  private async claimOf({ environmentId, about }: MailLine, most: number): Promise<ClaimedMail[]> {
    try {
      return await claimMails(this.options.db, environmentId, most, about);
    } catch (error) {
      if (endsAll(error)) throw error;
      const seen = { error, environment_id: environmentId };
      logFailure(this.options.log, 'warn', seen, 'mails of a site could not be claimed; it is tried again');
      return [];
    }
  }

  private async sendOne(claimed: ClaimedMail, line: MailLine): Promise<void> {
    const { log, onMail } = this.options;
    const done = this.troubles.begin(line);
    try {
      const result = await this.handOver(claimed, line);
      if (result === undefined) return;
      onMail?.(result);
      const { mail_id, kind, attempts } = claimed.mail;
      log[result === 'sent' ? 'debug' : 'info']({ mail_id, kind, attempts, result }, 'mail');
    } catch (error) {
      // The lease ends by itself, and the mail is sent again.
      logFailure(
        log,
        'error',
        { error, mail_id: claimed.mail.mail_id },
        'the result of a mail could not be written',
      );
    } finally {
      this.inFlight -= 1;
      this.hasEnded = true;
      done();
      if (!this.sweeping && this.hasPlace()) this.sweepIn(0);
    }
  }

  /** Undefined when our own stop came between. */
  private async handOver(claimed: ClaimedMail, { slowBy }: MailLine): Promise<MailResult | undefined> {
    const { db, smtp, schedule } = this.options;
    const content = this.contentOf(claimed);
    if (content === undefined) return this.end(claimed, 'unreadable');
    if (claimed.mail.give_up_at.getTime() <= clock.now()) return this.end(claimed, 'expired');
    if (smtp === undefined || this.stopped) return this.release(claimed);
    const begunAt = performance.now();
    const name = nameOf(await this.options.secret(), claimed.mail.mail_id);
    const said = await smtp.send({ name, content }, this.stopping.signal);
    if (said.result === 'stopped') return this.release(claimed);
    const outcome = this.troubles.note(said, { slowBy, to: content.to, begunAt });
    return writeForSure(
      () => settleMail(db, claimed, outcome, schedule),
      LEASE / 4,
      () => this.stopping.signal.aborted,
    );
  }

  private contentOf({ mail }: ClaimedMail): MailContent | undefined {
    const { log, vault } = this.options;
    try {
      const content = openContent(vault, mail);
      return content === undefined ? undefined : withSecrets(content);
    } catch (error) {
      logFailure(log, 'error', { error, mail_id: mail.mail_id }, 'a mail could not be opened');
      return undefined;
    }
  }

  private async end(claimed: ClaimedMail, why: 'expired' | 'unreadable'): Promise<MailResult> {
    const { error } = claimed.mail;
    const reason =
      why === 'expired'
        ? `It could not be sent in time${error === null ? '' : `, last because of: ${error}`}`
        : 'This server cannot open it: whoever runs it restores SECRETS_KEY.';
    return (await endMail(this.options.db, claimed, reason)) ? why : 'fenced';
  }

  private async release(claimed: ClaimedMail): Promise<undefined> {
    await releaseMail(this.options.db, claimed);
  }
}
