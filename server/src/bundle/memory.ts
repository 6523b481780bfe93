/** Something with a size in bytes. */
interface Sized {
  size: number;
}

/** Keeps what was used last, up to a number of bytes in all. */
export class Memory<Value extends Sized> {
  private readonly kept = new Map<string, Value>();
  private used = 0;

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const value = this.kept.get(key);
    if (value === undefined) return undefined;
    // To the end of the line: a map remembers the order of insertion.
    this.kept.delete(key);
    this.kept.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.used += value.size - (this.kept.get(key)?.size ?? 0);
    this.kept.delete(key);
    this.kept.set(key, value);
    for (const [oldest, { size }] of this.kept) {
      if (this.used <= this.most || oldest === key) return;
      this.kept.delete(oldest);
      this.used -= size;
    }
  }
}
