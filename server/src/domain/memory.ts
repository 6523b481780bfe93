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
    // Move to the end: a map keeps the order of insertion.
    this.kept.delete(key);
    this.kept.set(key, value);
    return value;
  }

  /** Whether it is kept; does not count as use. */
  has(key: string): boolean {
    return this.kept.has(key);
  }

  delete(key: string): void {
    this.used -= this.kept.get(key)?.size ?? 0;
    this.kept.delete(key);
  }

  clear(): void {
    this.kept.clear();
    this.used = 0;
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
