import { Model } from 'objection';

export class DomainProofRow extends Model {
  static override tableName = 'domain_proofs';
  static override idColumn = ['environment_id', 'domain'];
  environment_id!: string;
  domain!: string;
  /** How it was last proven; null: never. */
  method!: 'dns' | 'file' | 'script' | 'earlier' | null;
  proven_at!: Date | null;
  /** When the proof expires, however it was found. */
  proven_until!: Date | null;
  checked_at!: Date | null;
}
