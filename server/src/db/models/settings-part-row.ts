import { AppendOnlyModel } from './append-only';

/** A large part of settings, once for all versions of a site that hold it. */
export class SettingsPartRow extends AppendOnlyModel {
  static override tableName = 'settings_parts';
  static override idColumn = ['environment_id', 'hash'];
  static override jsonAttributes = ['part'];
  environment_id!: string;
  /** SHA-256 of its canonical JSON, in base64url. */
  hash!: string;
  part!: unknown;
}
