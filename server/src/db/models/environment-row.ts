import { Model } from 'objection';
import type { Settings } from '../../domain/types';

export class EnvironmentRow extends Model {
  static override tableName = 'environments';
  static override jsonAttributes = ['settings'];
  id!: string;
  token!: string;
  name!: string;
  domain!: string;
  domains!: string[];
  url!: string;
  status!: 'active' | 'paused';
  demo!: boolean;
  settings!: Settings;
  settings_version!: number;
  created_at!: Date;
  updated_at!: Date;
}
