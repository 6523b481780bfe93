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

interface Own {
  used: number;
  /** Those that were used last come last. */
  keys: Set<string>;
}

/**
 * The same of several owners. When it is full, whoever has the most loses what was used longest ago: whoever asks for a
 * lot does not take the place of what others use.
 */
export class SharedMemory<Value extends Sized> {
  private readonly kept = new Map<string, { value: Value; owner: string }>();
  private readonly owners = new Map<string, Own>();
  private used = 0;

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, found);
    const own = this.owners.get(found.owner);
    own?.keys.delete(key);
    own?.keys.add(key);
    return found.value;
  }

  set(key: string, value: Value, owner: string): void {
    this.delete(key);
    const own = this.owners.get(owner) ?? { used: 0, keys: new Set() };
    this.owners.set(owner, own);
    own.keys.add(key);
    own.used += value.size;
    this.kept.set(key, { value, owner });
    this.used += value.size;
    while (this.used > this.most) {
      const [oldest = key, next] = this.largest();
      // What is new is kept, whatever its size.
      const dropped = oldest === key ? (next ?? this.kept.keys().next().value) : oldest;
      if (dropped === undefined || dropped === key) return;
      this.delete(dropped);
    }
  }

  clear(): void {
    this.kept.clear();
    this.owners.clear();
    this.used = 0;
  }

  /** What the owner of the most has, the oldest first. */
  private largest(): Set<string> {
    let found: Own = { used: 0, keys: new Set() };
    for (const own of this.owners.values()) if (own.used > found.used) found = own;
    return found.keys;
  }

  private delete(key: string): void {
    const found = this.kept.get(key);
    if (found === undefined) return;
    const { value, owner } = found;
    this.kept.delete(key);
    this.used -= value.size;
    const own = this.owners.get(owner);
    if (own === undefined) return;
    own.keys.delete(key);
    own.used -= value.size;
    if (own.keys.size === 0) this.owners.delete(owner);
  }
}
