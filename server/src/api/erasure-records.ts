import type { Knex } from 'knex';
import type { components, operations } from '../../../spec/generated/api';
import { type EnvironmentRow, ErasureRow } from '../db/models';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { ERASED_KINDS } from '../db/seal-erasures';
import { exportRecords } from '../services/record-export';
import { Download, type Handler } from './handler';

type Filter = Omit<NonNullable<operations['exportErasures']['parameters']['query']>, 'format'>;
type Erasure = components['schemas']['Erasure'];

function view(row: ErasureRow): Erasure {
  const { erasure_id, kind, found_by, user_id, key_id, rule, day } = row;
  const isOver = row.running === 0;
  return {
    ...{ erasure_id, kind, found_by, user_id, key_id, rule, day },
    begun_at: row.begun_at.toISOString(),
    finished_at: isOver ? (row.finished_at?.toISOString() ?? null) : null,
    complete: isOver && row.whole,
    erased: ERASED_KINDS.filter((one) => row[one] > 0).map((one) => ({ kind: one, count: row[one] })),
  };
}

/** The records of a site's erasures that match a filter. */
function matching(db: Knex, { id: environment_id }: EnvironmentRow, filter: Filter) {
  const rows = ErasureRow.query(db).where({ environment_id });
  if (filter.kind !== undefined) rows.where({ kind: filter.kind });
  return between(rows, 'begun_at', filter);
}

export const listErasures: Handler<'listErasures'> = async ({ db }, { environment, query }) =>
  readPage({
    query: matching(db, environment, query),
    order: ['begun_at', 'erasure_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });

/** Of a CSV file. */
const COLUMNS: (keyof Erasure)[] = [
  ...(['erasure_id', 'begun_at', 'finished_at', 'complete', 'kind', 'found_by', 'rule', 'day'] as const),
  ...(['user_id', 'key_id', 'erased'] as const),
];

export const exportErasures: Handler<'exportErasures'> = async ({ db }, { environment, query }) => {
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(db, environment, query),
    { name: 'erasures', order: ['begun_at', 'erasure_id'], columns: COLUMNS, toItem: view },
  );
  return new Download(type, name, content);
};
