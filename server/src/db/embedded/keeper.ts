import { setTimeout as delay } from 'node:timers/promises';
import { launch } from './launch';
import { logTail } from './logfile';
import { adoptOrphan } from './orphan';
import { forget, stopPostmaster } from './postmaster';
import type { Running, Setup } from './types';

/**
 * The pause before the first new start; it doubles with each one that follows soon, up to the last. In
 * milliseconds.
 */
const FIRST_PAUSE = 100;
const LAST_PAUSE = 10_000;
/** A server that ran this long is not related to earlier failures, in milliseconds. */
const CALM = 60_000;

/**
 * Keeps PostgreSQL running on its port until `stop`: one that ends by itself is started again, however often.
 */
export class Keeper {
  private readonly stopping = new AbortController();
  private restart: Promise<void> = Promise.resolve();
  private pause = FIRST_PAUSE;

  constructor(
    private readonly setup: Setup,
    private readonly password: string,
    private running: Running,
  ) {
    this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restart;
    await stopPostmaster(this.running.pid, this.setup.cluster, this.setup.log);
  }

  private watch(): void {
    const { pid, ended } = this.running;
    const startedAt = Date.now();
    void ended.then((reason) => {
      if (this.stopping.signal.aborted) return;
      forget(pid);
      const { dataDir, log } = this.setup;
      const tail = logTail(dataDir);
      log('error', `PostgreSQL ended by itself (${reason}): starting it again`, { pid, log: tail });
      if (Date.now() - startedAt > CALM) this.pause = FIRST_PAUSE;
      this.restart = this.startAgain();
    });
  }

  private async startAgain(): Promise<void> {
    const { signal } = this.stopping;
    const { log } = this.setup;
    while (!signal.aborted) {
      await delay(this.pause, undefined, { signal, ref: false }).catch(() => undefined);
      this.pause = Math.min(this.pause * 2, LAST_PAUSE);
      if (signal.aborted) return;
      try {
        this.running = await this.revive();
        log('warn', 'PostgreSQL is running again', { pid: this.running.pid, port: this.running.port });
        return this.watch();
      } catch (error) {
        log('error', `PostgreSQL could not be started again, next try in ${this.pause / 1000} s`, {
          reason: (error as Error).message,
        });
      }
    }
  }

  /** Starts it on the known port; one that was started there meanwhile will do as well. */
  private async revive(): Promise<Running> {
    const { port } = this.running;
    const found = await adoptOrphan(this.setup, this.password);
    if (found?.port === port) return found;
    if (found !== undefined) await stopPostmaster(found.pid, this.setup.cluster, this.setup.log);
    return launch(this.setup, this.password, port);
  }
}
