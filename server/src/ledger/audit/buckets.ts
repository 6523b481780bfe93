import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HASH_BYTES } from '../../domain/ledger/hash';

/** Who holds a commitment. */
export type Holder = 'leaf' | 'consent' | 'fact' | 'pending' | 'erased' | 'erasing';
const HOLDERS: readonly Holder[] = ['leaf', 'consent', 'fact', 'pending', 'erased', 'erasing'];

/** A commitment with who holds it. */
export interface Held {
  holder: Holder;
  /** A UUID, of a consent or fact. */
  id?: string;
  /** When a record was stored; milliseconds. */
  at?: number;
  imported?: boolean;
  /** Of a leaf: its number, when its records were stored, and when the latest before them was. */
  leaf?: number;
  first?: number;
  last?: number;
  floor?: number;
}

/** Files, by the first byte of a commitment; bytes of one entry; entries that are written at once. */
const FILES = 256;
const ENTRY = HASH_BYTES + 2 + 4 * 8;
const AT_ONCE = 128;
const NIL = Buffer.alloc(16);

/**
 * Commitments of both sides, in files by their first byte: each file is compared by itself, so that the memory that it
 * takes hardly grows with the log. They hold commitments, ids and times, and go with the process.
 */
export class Buckets {
  private folder: string | undefined;
  /** Opened with its first full block: a small site needs none. */
  private readonly files = new Map<number, number>();
  private readonly waiting = new Map<number, Buffer>();
  private readonly used = new Uint32Array(FILES);

  add(commitment: Buffer, held: Held): void {
    const n = commitment[0] as number;
    const bytes = this.waiting.get(n) ?? Buffer.alloc(ENTRY * AT_ONCE);
    this.waiting.set(n, bytes);
    const start = (this.used[n] as number) * ENTRY;
    commitment.copy(bytes, start);
    write(bytes, start + HASH_BYTES, held);
    this.used[n] = (this.used[n] as number) + 1;
    if (this.used[n] === AT_ONCE) this.flush(n);
  }

  /** The commitments of each file with everybody who holds them. */
  *groups(): Generator<Map<string, Held[]>> {
    for (let n = 0; n < FILES; n += 1) {
      const bytes = this.read(n);
      const found = new Map<string, Held[]>();
      for (let at = 0; at < bytes.length; at += ENTRY) {
        const name = bytes.toString('latin1', at, at + HASH_BYTES);
        const held = read(bytes, at + HASH_BYTES);
        const others = found.get(name);
        if (others === undefined) found.set(name, [held]);
        else others.push(held);
      }
      yield found;
    }
  }

  close(): void {
    for (const file of this.files.values()) closeSync(file);
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  private read(n: number): Buffer {
    const rest = this.waiting.get(n)?.subarray(0, (this.used[n] as number) * ENTRY) ?? Buffer.alloc(0);
    if (this.folder === undefined || !this.files.has(n)) return rest;
    return Buffer.concat([readFileSync(join(this.folder, `${n}`)), rest]);
  }

  private flush(n: number): void {
    this.folder ??= mkdtempSync(join(tmpdir(), 'avow-audit-'));
    const file = this.files.get(n) ?? openSync(join(this.folder, `${n}`), 'wx', 0o600);
    this.files.set(n, file);
    writeSync(file, this.waiting.get(n) as Buffer);
    this.used[n] = 0;
  }
}

function write(bytes: Buffer, start: number, held: Held): void {
  bytes[start] = HOLDERS.indexOf(held.holder);
  bytes[start + 1] = held.imported === true ? 1 : 0;
  const at = start + 2;
  if (held.holder === 'leaf') {
    bytes.writeDoubleLE(held.leaf ?? 0, at);
    bytes.writeDoubleLE(held.first ?? 0, at + 8);
    bytes.writeDoubleLE(held.last ?? 0, at + 16);
    bytes.writeDoubleLE(held.floor ?? 0, at + 24);
    return;
  }
  if (held.id === undefined) NIL.copy(bytes, at);
  else bytes.write(held.id.replaceAll('-', ''), at, 16, 'hex');
  bytes.writeDoubleLE(held.at ?? 0, at + 16);
}

function read(bytes: Buffer, start: number): Held {
  const holder = HOLDERS[bytes[start] as number] as Holder;
  const imported = bytes[start + 1] === 1;
  const at = start + 2;
  if (holder === 'leaf')
    return {
      ...{ holder, imported, leaf: bytes.readDoubleLE(at), first: bytes.readDoubleLE(at + 8) },
      ...{ last: bytes.readDoubleLE(at + 16), floor: bytes.readDoubleLE(at + 24) },
    };
  const digits = bytes.toString('hex', at, at + 16);
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { holder, imported, id, at: bytes.readDoubleLE(at + 16) };
}
