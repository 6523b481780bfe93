import type { Report } from './report.js';
import type { Statement } from './statement.js';

/** A bundle's facts that its bytes must match. */
export interface BundleFacts {
  integrity: unknown;
  bytes: unknown;
  /** SHA-256 of its other files, by their ends. */
  files: unknown;
  where: string;
}

interface Reference {
  where: string;
  /** Whether a visitor's page sent it, and so it may be of nothing. */
  isClaim: boolean;
}

/** What records of a file name, and which of these are in it. */
export class Context {
  readonly bundles = new Map<string, BundleFacts>();
  private readonly named = new Map<string, Reference>();
  private readonly present = new Set<string>();

  note({ kind, record }: Statement, where: string): void {
    const { version, hash } = record;
    if (kind === 'consent') {
      this.name('settings', record.banner_version, where);
      this.name('bundle', record.bundle_hash, where, true);
    } else if (kind === 'bundle') {
      this.present.add(`bundle ${hash}`);
      const { integrity, bytes, files } = record;
      this.bundles.set(String(hash), { integrity, bytes, files, where });
      this.name('settings', record.settings_version, where);
      this.name('vendors', record.vendor_list_version, where);
    } else if (kind === 'settings' || kind === 'vendors') this.present.add(`${kind} ${version}`);
  }

  private name(kind: string, value: unknown, where: string, isClaim = false): void {
    if (value === null || value === undefined) return;
    const key = `${kind} ${String(value).slice(0, 100)}`;
    if (!this.named.has(key)) this.named.set(key, { where, isClaim });
  }

  /** Reports whether everything that the records name is there. */
  judge(report: Report): void {
    for (const [name, { where, isClaim }] of this.named) {
      if (this.present.has(name))
        report.add('context', true, `${name}, which a record names, is in the file`, where);
      else if (isClaim)
        report.add('context', 'unknown', `${name} is not in the file; the visitor's page named it`, where);
      else report.add('context', false, `${name}, which a record names, is missing`, where);
    }
  }
}
