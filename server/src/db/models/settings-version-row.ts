import type { Settings } from '../../domain/types';
import { AppendOnlyModel } from './append-only';

export class SettingsVersionRow extends AppendOnlyModel {
  static override tableName = 'settings_versions';
  static override idColumn = ['environment_id', 'version'];
  static override jsonAttributes = ['settings'];
  environment_id!: string;
  version!: number;
  settings!: Settings;
  created_at!: Date;
  created_by!: number | null;
}
