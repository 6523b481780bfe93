import { setTimeout as delay } from 'node:timers/promises';

/** Work that a stop waits for. */
export class Running {
  private readonly works = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const done = work.finally(() => this.works.delete(done));
    this.works.add(done);
  }

  /** Resolves when nothing runs any more, or after the limit in milliseconds. */
  async idle(limit: number): Promise<void> {
    const end = new AbortController();
    const late = delay(Math.max(0, limit), 'late', { signal: end.signal }).catch(() => 'late');
    while (this.works.size > 0) {
      // Finished work may have started more.
      if ((await Promise.race([Promise.all(this.works), late])) === 'late') break;
    }
    end.abort();
  }
}
