import { Row } from './row';

export class DomainProofRow extends Row {
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
