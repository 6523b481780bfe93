import type { Knex } from 'knex';
import { raw } from 'objection';
import { BundleRow, type ConsentRow } from '../../db/models';
import type { FactRow } from './records';

/** Takes note of what records name. */
export interface Named {
  note(rows: readonly ConsentRow[]): Promise<void>;
}

/** Bundles that are asked for by one statement. */
const AT_ONCE = 1_000;

/** What may be named: strangers choose hashes of bundles, of which only those count that the site had. */
type NamedKind = 'settings' | 'vendors' | 'bundle';

/** The settings, vendor lists and bundles that the records of a pack name. */
export class Names implements Named {
  private readonly wanted: Record<NamedKind, Set<string>> = {
    settings: new Set(),
    vendors: new Set(),
    bundle: new Set(),
  };
  /** Facts that the pack holds already. */
  private readonly there = new Set<string>();
  /** Hashes of bundles of which it is known what they name. */
  private readonly read = new Set<string>();
  private first: Date | undefined;
  private last: Date | undefined;

  constructor(
    private readonly db: Knex,
    private readonly environmentId: string,
  ) {}

  async note(rows: readonly ConsentRow[]): Promise<void> {
    for (const { banner_version, recorded_at } of rows) {
      this.wanted.settings.add(String(banner_version));
      if (this.first === undefined || recorded_at < this.first) this.first = recorded_at;
      if (this.last === undefined || recorded_at > this.last) this.last = recorded_at;
    }
    await this.readBundles(rows.flatMap(({ bundle_hash }) => bundle_hash ?? []));
  }

  /** Takes note of those that the site had, and of what they name. */
  private async readBundles(hashes: Iterable<string>): Promise<void> {
    const unread = [...new Set(hashes)].filter((hash) => !this.read.has(hash));
    for (let from = 0; from < unread.length; from += AT_ONCE) {
      const some = unread.slice(from, from + AT_ONCE);
      const bundles = await BundleRow.query(this.db)
        .where({ environment_id: this.environmentId })
        .whereIn('hash', some)
        .select(
          ...['hash', 'settings_version', 'vendor_list_version'],
          raw("config->'test'->>'version'").as('test_version'),
        );
      for (const { hash, settings_version, vendor_list_version } of bundles) {
        this.read.add(hash);
        this.wanted.bundle.add(hash);
        this.wanted.settings.add(String(settings_version));
        if (vendor_list_version > 0) this.wanted.vendors.add(String(vendor_list_version));
      }
      const ofB = (bundles as (BundleRow & { test_version?: string })[]).filter(
        ({ test_version }) => test_version === 'b',
      );
      if (ofB.length > 0) await this.readBundles(await this.scriptsOf(ofB));
    }
  }

  /** The bundles whose scripts showed these versions B of A/B tests; both are published together. */
  private async scriptsOf(versions: readonly BundleRow[]): Promise<string[]> {
    const found = await BundleRow.query(this.db)
      .where({ environment_id: this.environmentId })
      .whereIn(
        'settings_version',
        versions.map(({ settings_version }) => settings_version),
      )
      .whereRaw("config->'test'->'b'->>'hash' = ANY(?)", [versions.map(({ hash }) => hash)])
      .select('hash');
    return found.map(({ hash }) => hash);
  }

  /** A fact that is in the pack in its own right. */
  found(facts: readonly FactRow[]): void {
    for (const { kind, subject } of facts) {
      if (!(kind in this.wanted)) continue;
      this.there.add(`${kind} ${subject}`);
      if (kind === 'bundle') this.wanted.bundle.add(subject);
    }
  }

  /** The bundles whose files belong to the pack. */
  get bundles(): string[] {
    return [...this.wanted.bundle];
  }

  /** What is named and not in the pack yet, by kind. */
  async settle(): Promise<[NamedKind, string[]][]> {
    await this.readBundles(this.wanted.bundle);
    for (const version of await this.vendorsInForce()) this.wanted.vendors.add(String(version));
    return (['settings', 'vendors', 'bundle'] as const).map((kind) => [
      kind,
      [...this.wanted[kind]].filter((subject) => !this.there.has(`${kind} ${subject}`)),
    ]);
  }

  /** The lists that were in force while the records were made: pages without a bundle name none. */
  private async vendorsInForce(): Promise<number[]> {
    const { first, last } = this;
    if (first === undefined || last === undefined) return [];
    const lists = () => this.db('vendor_lists').where({ environment_id: this.environmentId });
    const before = await lists().where('created_at', '<=', first).max('version as version').first();
    const during: number[] = await lists()
      .where('created_at', '>', first)
      .where('created_at', '<=', last)
      .pluck('version');
    return before?.version == null ? during : [before.version, ...during];
  }
}
