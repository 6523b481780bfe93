import { type QueryBuilder, raw } from 'objection';
import type { BundleConfig, BundleTexts, BundleVendor, BundleWarning } from '../../domain/types';
import { Row } from './row';

/**
 * A published bundle. Its contents are evidence and never change; only the time of its last publication does.
 */
export class BundleRow extends Row {
  static override tableName = 'bundles';
  static override idColumn = ['environment_id', 'hash'];
  static override jsonAttributes = ['config', 'texts', 'vendors', 'warnings'];
  static override modifiers = {
    /** What a list shows: without the script and all the texts, which can be a hundred times as long. */
    listed(query: QueryBuilder<BundleRow>) {
      query.select(
        ...[
          'hash',
          'integrity',
          'bytes',
          'gzip_bytes',
          'warnings',
          'settings_version',
          'created_at',
          'published_at',
        ],
        raw(
          "jsonb_strip_nulls(jsonb_build_object('languages', config->'languages', 'google_consent_mode', config->'google_consent_mode', 'tcf', config->'tcf'->'cmp_id', 'gpp', config->'gpp'->'cmp_id', 'test', nullif(jsonb_strip_nulls(jsonb_build_object('version', config->'test'->'version')), '{}'), 'auto_blocking', config->'auto_blocking'))",
        ).as('config'),
      );
    },
  };
  environment_id!: string;
  hash!: string;
  script!: string;
  integrity!: string;
  bytes!: number;
  gzip_bytes!: number;
  config!: BundleConfig;
  /** Of every language of the bundle. */
  texts!: Record<string, BundleTexts>;
  vendors!: BundleVendor[];
  warnings!: BundleWarning[];
  /** The version of the product that made it first. */
  program_digest!: string;
  settings_version!: number;
  vendor_list_version!: number;
  created_at!: Date;
  created_by!: number | null;
  published_at!: Date;

  override $beforeUpdate(): void {
    const changed = Object.keys(this.$toDatabaseJson()).filter((name) => name !== 'published_at');
    if (changed.length > 0) throw new Error(`A bundle is evidence: ${changed.join(', ')} must not change.`);
  }
}
