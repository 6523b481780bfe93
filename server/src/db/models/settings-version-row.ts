import type { StoredSettings } from '../../domain/settings-parts';
import { AppendOnlyModel } from './append-only';

export class SettingsVersionRow extends AppendOnlyModel {
  static override tableName = 'settings_versions';
  static override idColumn = ['environment_id', 'version'];
  static override jsonAttributes = ['settings'];
  environment_id!: string;
  version!: number;
  /** With its large parts by their hash; `wholeSettings` puts them together. */
  settings!: StoredSettings;
  created_at!: Date;
  created_by!: number | null;
}
