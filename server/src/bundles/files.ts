import type { Knex } from 'knex';
import { OPERATION_RULES } from '../../../spec/generated/rules';
import { BundleRow } from '../db/models';
import { Memory } from '../domain/memory';
import { GroupQueue } from '../ingest/group-queue';
import { JSON_TYPE, type Packed, pack } from './packed';

/** Which file of a bundle is wanted. */
export interface Wanted {
  environmentId: string;
  hash: string;
  part: 'script' | 'vendors' | 'texts';
  /** Of the texts. */
  language?: string;
}

/** Bytes of files cached by a process, in all encodings: the scripts of about a thousand busy sites. */
const MEMORY = 64 * 2 ** 20;
/** Files that are looked up in one go, and that may wait for the next one. */
const LOOK_UP = { maxGroup: 50, maxWaiting: 1_000 };

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The files that visitors load, packed once and kept in memory. A bundle never changes, so nothing here can
 * be stale.
 */
export class BundleFiles {
  private readonly memory: Memory<Packed>;
  /** In groups, so that a flood of guessed hashes takes one connection and not all of them. */
  private readonly lookUps = new GroupQueue({ work: (wanted: Wanted[]) => this.loadAll(wanted), ...LOOK_UP });

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
    return this.memory.get(keyOf(wanted));
  }

  /**
   * The file, or undefined when there is none. Rejects with 503 when the database is down or too many
   * look-ups are in progress.
   */
  async find(wanted: Wanted): Promise<Packed | undefined> {
    const file = this.peek(wanted);
    if (file !== undefined) return file;
    const key = keyOf(wanted);
    const known = this.inFlight.get(key);
    if (known !== undefined) return known;
    const found = this.lookUps.add(wanted).finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, found);
    return found;
  }

  /** Waits for the look-ups in progress, which need the database. */
  stop(): Promise<void> {
    return this.lookUps.drained();
  }

  /** A database failure rejects the whole group. */
  private async loadAll(group: Wanted[]): Promise<(Packed | undefined)[]> {
    const found = new Map<string, Promise<Packed | undefined>>();
    for (const wanted of group) {
      const key = keyOf(wanted);
      // Read one after the other, by one connection; packed side by side.
      if (!found.has(key)) found.set(key, this.keep(wanted, this.peek(wanted) ?? (await this.read(wanted))));
    }
    return Promise.all(group.map((wanted) => found.get(keyOf(wanted))));
  }

  private async keep(wanted: Wanted, file: Packed | string | undefined): Promise<Packed | undefined> {
    // Another look-up may have found it while this one waited.
    if (typeof file !== 'string') return file;
    const packed = await pack(file, wanted.hash, wanted.part === 'script' ? SCRIPT : JSON_TYPE);
    this.memory.set(keyOf(wanted), packed);
    return packed;
  }

  private async read({ environmentId, hash, part, language = '' }: Wanted): Promise<string | undefined> {
    const row = await BundleRow.query(this.db).findById([environmentId, hash]).select(part);
    if (row === undefined) return undefined;
    if (part === 'script') return row.script;
    if (part === 'vendors')
      return envelope({ vendors: row.vendors }, OPERATION_RULES.getBundleVendors.message);
    const texts = Object.hasOwn(row.texts, language) ? row.texts[language] : undefined;
    return texts === undefined
      ? undefined
      : envelope({ language, texts }, OPERATION_RULES.getBundleTexts.message);
  }
}

const keyOf = ({ environmentId, hash, part, language = '' }: Wanted): string =>
  `${environmentId} ${hash} ${part} ${language}`;

/** The compressed file includes the envelope. */
const envelope = (data: object, message: string): string =>
  JSON.stringify({ status: 'success', data, message });
