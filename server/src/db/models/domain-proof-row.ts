import { Model } from 'objection';

export class DomainProofRow extends Model {
  static override tableName = 'domain_proofs';
  static override idColumn = ['environment_id', 'domain'];
  environment_id!: string;
  domain!: string;
  /** How it was proven last; null: never. */
  method!: 'dns' | 'file' | 'script' | 'earlier' | null;
  proven_at!: Date | null;
  /** After it the proof counts no more, however it was found. */
  proven_until!: Date | null;
  checked_at!: Date | null;
}
