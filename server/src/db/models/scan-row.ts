import type { ScanResult } from '../../domain/cookies/result';
import type { ScanEngine } from '../../domain/types';
import { Row } from './row';

export class ScanRow extends Row {
  static override tableName = 'cookie_scans';
  static override idColumn = 'scan_id';
  static override jsonAttributes = ['result'];
  scan_id!: string;
  /** The site whose evidence it is; null: none. */
  environment_id!: string | null;
  /** The token of the site whose vendors are used to classify, even when the scan is not its evidence. */
  site_token!: string | null;
  url!: string;
  /**
   * Of it one scan at a time waits or runs: the domain; before it, the site or the account that alone is
   * meant.
   */
  domain!: string;
  /** Whoever started it had logged in. */
  by_member!: boolean;
  /** Who takes turns with others: a keyed fingerprint of the account, or of a stranger's network. */
  requester!: Buffer;
  /** A fingerprint of the group that the account belongs to; a network is a group of its own. */
  requester_group!: Buffer;
  /** The registrable domain of the page. */
  registrable!: string;
  /** A hash of the page's address; null: of an older process. */
  page!: Buffer | null;
  state!: 'queued' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  runs!: number;
  /** Who runs it now; only its holder may write the result. */
  lease!: string | null;
  lease_until!: Date | null;
  engine!: ScanEngine | null;
  result!: ScanResult | null;
  error!: string | null;
  /** Its result is in `scanned_pages`, or there is none that belongs there; false: of an older process. */
  counted!: boolean;
  created_at!: Date;
  started_at!: Date | null;
  finished_at!: Date | null;
}
