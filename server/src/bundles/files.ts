import type { Knex } from 'knex';
import { raw } from 'objection';
import { OPERATION_RULES } from '../../../spec/generated/rules';
import { BundleRow } from '../db/models';
import { FairTurns, type Sender } from '../domain/fair-turns';
import { Memory } from '../domain/memory';
import { JSON_TYPE, type Packed, pack } from './packed';

/** Which file of a bundle is wanted. */
export interface Wanted {
  environmentId: string;
  /** Who made the site: a hundred sites of one maker take one turn, and then that of another comes. */
  maker: string;
  hash: string;
  part: 'script' | 'vendors' | 'texts';
  /** Of the texts. */
  language?: string;
}

/** Bytes of files cached by a process, in all encodings: the scripts of about a thousand busy sites. */
const MEMORY = 64 * 2 ** 20;
/** Look-ups that may wait, of one maker and in all. */
const LOOK_UPS = { each: 1_000, all: 2_000 };
/** Bytes of names of texts that their bundles do not have. */
const MISSING = 4 * 2 ** 20;

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The files that visitors load, packed once and kept in memory. A bundle never changes, so nothing here can
 * be stale.
 */
export class BundleFiles {
  private readonly memory: Memory<Packed>;
  /** For ever, because a bundle never changes: languages that were added to the settings since, for instance. */
  private readonly missing = new Memory<{ size: number }>(MISSING);
  /** All that are somewhere: one that was pushed out of memory while it is sent is not loaded a second time. */
  private readonly alive = new Map<string, WeakRef<Packed>>();
  private readonly collected = new FinalizationRegistry((key: string) => {
    if (this.alive.get(key)?.deref() === undefined) this.alive.delete(key);
  });
  /**
   * One at a time, so that a flood of guessed hashes takes one connection and not all of them; makers of sites take
   * turns, then their sites.
   */
  private readonly lookUps = new FairTurns(1, LOOK_UPS);

  /** Look-ups in progress, so that a thousand visitors right after a publication share one. */
  private readonly inFlight = new Map<string, Promise<Packed | undefined>>();

  constructor(
    private readonly db: Knex,
    most = MEMORY,
  ) {
    this.memory = new Memory(most);
  }

  /** The file, without waiting, when it is in memory. */
  peek(wanted: Wanted): Packed | undefined {
    const key = keyOf(wanted);
    return this.memory.get(key) ?? this.again(key);
  }

  private again(key: string): Packed | undefined {
    const file = this.alive.get(key)?.deref();
    if (file !== undefined) this.memory.set(key, file);
    return file;
  }

  private keep(key: string, file: Packed): void {
    this.memory.set(key, file);
    this.alive.set(key, new WeakRef(file));
    this.collected.register(file, key);
  }

  /**
   * The file, or undefined when there is none. Rejects with 503 when the database is down or too many
   * look-ups are in progress.
   */
  async find(wanted: Wanted): Promise<Packed | undefined> {
    const file = this.peek(wanted);
    if (file !== undefined) return file;
    const key = keyOf(wanted);
    if (this.missing.get(key) !== undefined) return undefined;
    const known = this.inFlight.get(key);
    if (known !== undefined) return known;
    const found = this.load(wanted).finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, found);
    return found;
  }

  /** Waits for the look-ups in progress, which need the database. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.inFlight.values());
  }

  private async load(wanted: Wanted): Promise<Packed | undefined> {
    const { environmentId, maker, hash, part } = wanted;
    const sender: Sender = [maker, environmentId];
    const text = await this.lookUps.take(sender, () => this.read(wanted));
    if (text === undefined) return undefined;
    const key = keyOf(wanted);
    const file = { text, tag: hash, contentType: part === 'script' ? SCRIPT : JSON_TYPE, sender };
    const packed = await pack(file, (better) => this.memory.has(key) && this.keep(key, better));
    this.keep(key, packed);
    return packed;
  }

  private async read(wanted: Wanted): Promise<string | undefined> {
    const { environmentId, hash, part, language = '' } = wanted;
    const row = await BundleRow.query(this.db)
      .findById([environmentId, hash])
      // Of the texts one language: the others may be a megabyte.
      .select(part === 'texts' ? raw('texts -> ?::text', [language]).as('text') : part);
    if (row === undefined) return undefined;
    if (part === 'script') return row.script;
    if (part === 'vendors')
      return envelope({ vendors: row.vendors }, OPERATION_RULES.getBundleVendors.message);
    const { text: texts } = row as unknown as { text: object | null };
    if (texts !== null) return envelope({ language, texts }, OPERATION_RULES.getBundleTexts.message);
    const key = keyOf(wanted);
    this.missing.set(key, { size: 100 + 2 * key.length });
    return undefined;
  }
}

const keyOf = ({ environmentId, hash, part, language = '' }: Wanted): string =>
  `${environmentId} ${hash} ${part} ${language}`;

/** The compressed file includes the envelope. */
const envelope = (data: object, message: string): string =>
  JSON.stringify({ status: 'success', data, message });
