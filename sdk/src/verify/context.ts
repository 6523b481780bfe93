import { EVIDENCE } from './lines.js';
import { copyOf, type Report } from './report.js';
import type { Statement } from './statement.js';

/** A bundle's facts that its bytes must match. */
export interface BundleFacts {
  integrity?: unknown;
  bytes?: unknown;
  /** SHA-256 of its other files, by their ends. */
  files?: unknown;
  where: string;
}

interface Reference {
  where: string;
  /** Whether a visitor's page sent it, and so it may be of nothing. */
  isClaim: boolean;
}

/** Characters that are kept, about: a pack of a server has few names, but visitors' pages can send any number. */
const ROOM = 2 ** 27;
/** What keeping anything takes besides its characters. */
const EACH = 200;
/** Characters of a name. */
const LONGEST = 100;

/** What records of a file name, and which of these are in it. */
export class Context {
  readonly bundles = new Map<string, BundleFacts>();
  private readonly named = new Map<string, Reference>();
  private readonly present = new Set<string>();
  private room = ROOM;

  note({ kind, record }: Statement, where: string): void {
    const { version, hash } = record;
    if (kind === 'consent') {
      this.name('settings', record.banner_version, where);
      this.name('bundle', record.bundle_hash, where, true);
    } else if (kind === 'bundle') {
      this.hold('bundle', hash);
      const { integrity, bytes, files } = record;
      const facts = JSON.stringify({ integrity, bytes, files });
      if (this.fits(facts.length)) this.bundles.set(shortOf(hash), { ...JSON.parse(facts), where });
      this.name('settings', record.settings_version, where);
      this.name('vendors', record.vendor_list_version, where);
    } else if (kind === 'settings' || kind === 'vendors') this.hold(kind, version);
  }

  private fits(characters: number): boolean {
    this.room -= characters + EACH;
    return this.room > 0;
  }

  private hold(kind: string, value: unknown): void {
    const key = `${kind} ${shortOf(value)}`;
    if (!this.present.has(key) && this.fits(key.length)) this.present.add(key);
  }

  private name(kind: string, value: unknown, where: string, isClaim = false): void {
    if (value === null || value === undefined) return;
    const key = `${kind} ${shortOf(value)}`;
    if (!this.named.has(key) && this.fits(key.length)) this.named.set(key, { where, isClaim });
  }

  /** Reports whether everything that the records name is there. */
  judge(report: Report): void {
    const isFull = this.room <= 0;
    if (isFull) report.add('context', 'unknown', 'records name more than is kept', EVIDENCE);
    for (const [name, { where, isClaim }] of this.named) {
      if (this.present.has(name))
        report.add('context', true, `${name}, which a record names, is in the file`, where);
      else if (isFull) continue;
      else if (isClaim)
        report.add('context', 'unknown', `${name} is not in the file; the visitor's page named it`, where);
      else report.add('context', false, `${name}, which a record names, is missing`, where);
    }
  }
}

const shortOf = (value: unknown): string => copyOf(String(value).slice(0, LONGEST));
