import { Model } from 'objection';

/** A record that is evidence: written once, removed only by retention or erasure. */
export abstract class AppendOnlyModel extends Model {
  override $beforeUpdate(): void {
    throw new Error(`${this.constructor.name} is append-only: write a new record instead.`);
  }
}
