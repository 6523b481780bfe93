import type { Knex } from 'knex';
import { nameSite } from '../db/find-settled-time';
import { takeStep } from '../db/ledger/steps';
import { DsarRow, type EnvironmentRow } from '../db/models';
import { notFound } from '../domain/errors';
import { inRequests } from '../domain/size';
import { dsarKey } from './dsar-view';

/**
 * Reads the request with a row lock, so that two operators who act at once are served one after the other.
 */
export async function locked(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  await nameSite(trx, environment.id);
  const row = await DsarRow.query(trx).findOne(dsarKey(environment, request_id)).forUpdate();
  if (row === undefined) throw notFound('This data-subject request');
  return row;
}

/** Who takes a step on a record. */
export interface Step {
  trx: Knex.Transaction;
  countMore(more: number): void;
}

/** Stores what a step changed, with its entry of the history, and seals it. */
export async function save(
  { trx, countMore }: Step,
  row: DsarRow,
  patch: Partial<DsarRow> & Pick<DsarRow, 'history'>,
): Promise<DsarRow> {
  const { saved, bytes } = await takeStep(trx, row, patch);
  countMore(inRequests(bytes));
  return saved;
}
