/** What a request counts for, once, though a deadlock may have its work run several times. */
export class Weight {
  private counted = 0;
  /** Of the present run, the part of `counted` that it has asked for anew. */
  private ofRun = 0;

  /** @param count may refuse, and then counts nothing */
  constructor(private readonly count: (more: number) => void) {}

  beginRun(): void {
    this.ofRun = 0;
  }

  /** Counts what this run weighs more than those before it. Throws what `count` throws. */
  add(more: number): void {
    if (more <= 0) return;
    const rest = this.ofRun + more - this.counted;
    if (rest > 0) {
      this.count(rest);
      this.counted += rest;
    }
    this.ofRun += more;
  }
}
