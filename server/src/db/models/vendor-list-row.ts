import type { Vendor } from '../../domain/types';
import { AppendOnlyModel } from './append-only';

export class VendorListRow extends AppendOnlyModel {
  static override tableName = 'vendor_lists';
  static override idColumn = ['environment_id', 'version'];
  static override jsonAttributes = ['vendors'];
  environment_id!: string;
  version!: number;
  vendors!: Vendor[];
  created_at!: Date;
  created_by!: number | null;
}
