import type { QueryBuilder } from 'objection';
import { millisecondOf } from '../../domain/ids';
import { Row } from './row';

/** Only the record of this id, whose time is in it: of a partitioned table one month is read, and of its key one millisecond. */
export function withId<One extends Row>(query: QueryBuilder<One>, key: string, id: string): void {
  const [from, before] = millisecondOf(id);
  query
    .where({ [key]: id })
    .where('recorded_at', '>=', from)
    .where('recorded_at', '<', before);
}

/** A record that is evidence: written once, removed only by retention or erasure. */
export abstract class AppendOnlyModel extends Row {
  override $beforeUpdate(): void {
    throw new Error(`${this.constructor.name} is append-only: write a new record instead.`);
  }
}
