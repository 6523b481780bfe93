import { Model } from 'objection';
import type { ScanResult } from '../../domain/cookies/result';
import type { ScanEngine } from '../../domain/types';

export class ScanRow extends Model {
  static override tableName = 'cookie_scans';
  static override idColumn = 'scan_id';
  static override jsonAttributes = ['result'];
  scan_id!: string;
  /** The site whose evidence it is; null: none. */
  environment_id!: string | null;
  /** The token of the site whose vendors are used to classify, even when the scan is not its evidence. */
  site_token!: string | null;
  url!: string;
  /** Of its domain one scan at a time waits or runs. */
  domain!: string;
  state!: 'queued' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  runs!: number;
  /** Who runs it now; only its holder may write the result. */
  lease!: string | null;
  lease_until!: Date | null;
  engine!: ScanEngine | null;
  result!: ScanResult | null;
  error!: string | null;
  created_at!: Date;
  started_at!: Date | null;
  finished_at!: Date | null;
}
