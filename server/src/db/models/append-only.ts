import { Row } from './row';

/** A record that is evidence: written once, removed only by retention or erasure. */
export abstract class AppendOnlyModel extends Row {
  override $beforeUpdate(): void {
    throw new Error(`${this.constructor.name} is append-only: write a new record instead.`);
  }
}
