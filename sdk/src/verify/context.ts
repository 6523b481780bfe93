import { EVIDENCE } from './lines.js';
import { copyOf, type Report } from './report.js';
import type { Statement } from './statement.js';

/** What the record of a bundle says of one of its files. */
interface Sealed {
  /** Of a script its integrity and bytes, of another file its SHA-256. */
  said: string;
  where: string;
}

interface Reference {
  where: string;
  /** Whether a visitor's page sent it, and so it may be of nothing. */
  isClaim: boolean;
}

/** What is kept: a pack of a server has few names, but visitors' pages can send any number. */
const ROOM = 400_000;
/** What the files of a bundle end with. */
const ENDS = ['js', 'texts.json', 'vendors.json', 'settings.json'];
/** Characters of a name. */
const LONGEST = 100;
/** What records of a file name, and which of these are in it. */
export class Context {
  /** By path. */
  readonly sealed = new Map<string, Sealed>();
  readonly #named = new Map<string, Reference>();
  readonly #present = new Map<string, true>();
  #room = ROOM;

  /** @param isProven whether the log holds it: what waits for that says nothing of files */
  note({ kind, record }: Statement, where: string, isProven: boolean): void {
    const { version, hash } = record;
    if (kind === 'consent') {
      this.#name('settings', record.banner_version, where);
      this.#name('bundle', record.bundle_hash, where, true);
    } else if (kind === 'bundle') {
      this.#hold('bundle', hash);
      for (const end of isProven ? ENDS : []) {
        const said = end === 'js' ? `${record.integrity} ${record.bytes}` : Object(record.files)[end];
        if (said) this.#keep(this.sealed, `bundles/${shortOf(hash)}.${end}`, { said: shortOf(said), where });
      }
      this.#name('settings', record.settings_version, where);
      this.#name('vendors', record.vendor_list_version, where);
    } else if (kind === 'settings' || kind === 'vendors') this.#hold(kind, version);
  }

  #hold(kind: string, value: unknown): void {
    this.#keep(this.#present, `${kind} ${shortOf(value)}`, true);
  }

  #name(kind: string, value: unknown, where: string, isClaim = false): void {
    // Version 0 is none: a site had no vendors yet.
    if (value) this.#keep(this.#named, `${kind} ${shortOf(value)}`, { where, isClaim });
  }

  /** The first of each key, while there is room. */
  #keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
    if (kept.has(key)) return;
    this.#room -= 1;
    if (this.#room > 0) kept.set(key, value);
  }

  /** Reports whether everything that the records name is there. */
  judge(report: Report): void {
    const isFull = this.#room <= 0;
    if (isFull) report.add('context', 'unknown', 'records name more than is kept', EVIDENCE);
    for (const [name, { where, isClaim }] of this.#named) {
      if (this.#present.has(name))
        report.add('context', true, `${name}, which a record names, is in the file`, where);
      else if (isFull) continue;
      else if (isClaim)
        report.add('context', 'unproven', `${name} is not in the file; the visitor's page named it`, where);
      else report.add('context', false, `${name}, which a record names, is missing`, where);
    }
  }
}

const shortOf = (value: unknown): string => copyOf(String(value).slice(0, LONGEST));
