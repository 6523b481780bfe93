import type { Pojo } from 'objection';
import type { KeptTest } from '../../domain/banner/tests';
import type { EnvironmentStatus, Settings, TestVersion } from '../../domain/types';
import { Row } from './row';

/** A published bundle as the visitor path knows it. */
export interface PublishedBundle {
  hash: string;
  /** The settings version that it was made of. */
  version: number;
  /**
   * The vendor list's version and the product's digest at the last publication; others may have produced the
   * same bundle.
   */
  vendors: number;
  program: string;
  /** Of IAB Europe's framework, where it asks by that. */
  tcf?: { cmp: number; list: number };
  /** Whether it asks about vendors one by one. */
  by_vendor?: true;
  /** Which version of which A/B test it shows; that of version B follows the present one. */
  test?: { number: number; version: TestVersion };
  /** Tells what auto-blocking holds apart, where it is on. */
  holds?: string;
}

export class EnvironmentRow extends Row {
  static override tableName = 'environments';
  static override jsonAttributes = ['settings', 'bundles', 'banner_tests'];
  id!: string;
  token!: string;
  name!: string;
  domain!: string;
  domains!: string[];
  url!: string;
  status!: EnvironmentStatus;
  demo!: boolean;
  /** Whether its members must log in with a second factor. */
  second_factor_required!: boolean;
  settings!: Settings;
  settings_version!: number;
  /** The last ones published, each once, the present one first. */
  bundles!: PublishedBundle[];
  /** Its last A/B tests, the newest first. */
  banner_tests!: KeptTest[];
  /** Who made the site; null for the demo. */
  made_by!: number | null;
  created_at!: Date;
  updated_at!: Date;
  /** Since when its status is `archived`, which its column cannot hold. */
  archived_at!: Date | null;
  /** When it was deleted; its records are erased later. */
  deleted_at!: Date | null;

  override $parseDatabaseJson(json: Pojo): Pojo {
    const row = super.$parseDatabaseJson(json);
    if (row.archived_at != null) row.status = 'archived';
    return row;
  }

  override $formatDatabaseJson(json: Pojo): Pojo {
    const row = super.$formatDatabaseJson(json);
    if (row.status === 'archived') row.status = 'paused';
    return row;
  }
}
