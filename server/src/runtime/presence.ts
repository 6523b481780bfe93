import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { VERSION } from '../config/version';
import { newProcessId, registerProcess, removeProcess, renewProcess } from '../db/running-processes';
import { refusal, schemaState } from '../db/schema-state';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** How often a process says that it runs, in milliseconds: some times before it counts as gone. */
const BEAT = 10_000;
/** A stop waits no longer for a database that does not answer, in milliseconds. */
const LEAVE_TIMEOUT = 1_000;

/**
 * Makes the process known in the database, so that nobody takes away what it uses. Should that have happened
 * nevertheless, because the process or its network stood still for long, `onRefused` is called once.
 */
export class Presence {
  private readonly processId = newProcessId();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Knex,
    private readonly log: Logger,
    private readonly onRefused: (words: string) => void,
  ) {}

  /** Before the process uses the tables. Throws, in words, when it cannot work on them any more. */
  async begin(): Promise<void> {
    await registerProcess(this.db, this.processId, VERSION).catch((error) => this.tell(error));
    const state = await schemaState(this.db, VERSION);
    const refused = refusal(state, VERSION);
    if (refused !== undefined) {
      await this.leave();
      throw new Error(refused);
    }
    if (state.newer.length > 0) {
      this.log.info(
        { version: VERSION, newer: state.newer.length, last: state.newer.at(-1) },
        'a newer Avow has prepared the database: this version goes on working until a contract step is run',
      );
    }
    this.timer = setInterval(() => {
      this.beating = this.beat();
    }, BEAT);
    this.timer.unref();
  }

  /** Tells the database that the process ends, so that an upgrade need not wait. */
  async end(): Promise<void> {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    await Promise.race([this.beating, delay(LEAVE_TIMEOUT, undefined, { ref: false })]);
    await this.leave();
  }

  private async leave(): Promise<void> {
    await Promise.race([
      removeProcess(this.db, this.processId).catch(() => undefined),
      delay(LEAVE_TIMEOUT, undefined, { ref: false }),
    ]);
  }

  private async beat(): Promise<void> {
    try {
      await renewProcess(this.db, this.processId, VERSION);
      const refused = refusal(await schemaState(this.db, VERSION), VERSION);
      if (refused === undefined) return;
      clearInterval(this.timer);
      this.onRefused(refused);
    } catch (error) {
      this.tell(error);
    }
  }

  private tell(error: unknown): void {
    logFailure(this.log, 'warn', { error }, 'the process could not say in the database that it runs');
  }
}
