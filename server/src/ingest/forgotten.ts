/** What was forgotten since a read began: what it has read of that may be stale. */
export class Forgotten {
  private readonly tokens = new Set<string>();
  private all = false;

  add(token: string): void {
    this.tokens.add(token);
  }

  addAll(): void {
    this.all = true;
  }

  has(token: string): boolean {
    return this.all || this.tokens.has(token);
  }
}

/** The reads that are in progress, each with what was forgotten meanwhile; of everything else nothing is noted. */
export class Reads {
  private readonly running = new Set<Forgotten>();

  async during<Result>(read: (forgotten: Forgotten) => Promise<Result>): Promise<Result> {
    const forgotten = new Forgotten();
    this.running.add(forgotten);
    try {
      return await read(forgotten);
    } finally {
      this.running.delete(forgotten);
    }
  }

  forget(token: string): void {
    for (const forgotten of this.running) forgotten.add(token);
  }

  forgetAll(): void {
    for (const forgotten of this.running) forgotten.addAll();
  }
}
