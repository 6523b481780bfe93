/** Something with a size in bytes. */
interface Sized {
  size: number;
}

/** Keeps what was used last, up to a number of bytes in all. */
export class Memory<Value extends Sized> {
  private readonly kept = new Map<string, Value>();
  private used = 0;

  /** @param dropped is told what is no longer kept, to make room for something else */
  constructor(
    private readonly most: number,
    private readonly dropped: (key: string, value: Value) => void = () => undefined,
  ) {}

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

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
    for (const [oldest, old] of this.kept) {
      if (this.used <= this.most || oldest === key) return;
      this.kept.delete(oldest);
      this.used -= old.size;
      this.dropped(oldest, old);
    }
  }
}

interface Owned<Value> extends Sized {
  value: Value;
  owner: string;
}

/** The same, of which each owner has at most a part: whoever asks for a lot leaves room for what others use. */
export class SharedMemory<Value extends Sized> {
  private readonly all: Memory<Owned<Value>>;
  private readonly owners = new Map<string, Memory<Owned<Value>>>();
  private readonly part: number;

  constructor(most: number, part = most / 4) {
    this.all = new Memory(most, (key, { owner }) => this.forget(key, owner));
    this.part = part;
  }

  get(key: string): Value | undefined {
    const found = this.all.get(key);
    if (found === undefined) return undefined;
    this.owners.get(found.owner)?.get(key);
    return found.value;
  }

  set(key: string, value: Value, owner: string): void {
    const before = this.all.get(key);
    if (before !== undefined && before.owner !== owner) this.forget(key, before.owner);
    const own = this.owners.get(owner) ?? new Memory<Owned<Value>>(this.part, (old) => this.all.delete(old));
    this.owners.set(owner, own);
    const kept = { value, owner, size: value.size };
    own.set(key, kept);
    this.all.set(key, kept);
  }

  clear(): void {
    this.all.clear();
    this.owners.clear();
  }

  private forget(key: string, owner: string): void {
    const own = this.owners.get(owner);
    own?.delete(key);
    if (own?.isEmpty) this.owners.delete(owner);
  }
}
