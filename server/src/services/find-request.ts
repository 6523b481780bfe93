import type { Knex } from 'knex';
import { DsarRow, type EnvironmentRow } from '../db/models';
import { notFound } from '../domain/errors';
import { dsarKey } from './dsar-view';

/** A data-subject request of a site. Throws 404. */
export async function findRequest(
  db: Knex,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  const row = await DsarRow.query(db).findOne(dsarKey(environment, request_id));
  if (row === undefined) throw notFound('This data-subject request');
  return row;
}

/** The same, locked: files that come at once keep the limits, and none comes after the request is gone. Throws 404. */
export async function lockRequest(
  db: Knex,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  const row = await DsarRow.query(db).findOne(dsarKey(environment, request_id)).forUpdate();
  if (row === undefined) throw notFound('This data-subject request');
  return row;
}
