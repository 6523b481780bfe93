import type { SiteSystem } from '../../domain/types';
import { Row } from './row';

/** The systems in which a site keeps data of people. */
export class SiteSystemsRow extends Row {
  static override tableName = 'site_systems';
  static override idColumn = 'environment_id';
  static override jsonAttributes = ['systems'];
  environment_id!: string;
  systems!: SiteSystem[];
  version!: number;
  updated_at!: Date;
}
