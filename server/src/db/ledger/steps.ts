import type { Knex } from 'knex';
import type { BreachRow, DsarRow } from '../models';
import { type NewFact, sealFact, sealFacts } from './facts';
import { breachRecord, dsarRecord, stepRecord } from './records';

/** What was done last, by whom and with which words: the last entry of a history. */
const lastStep = ({ history }: Pick<DsarRow, 'history'>) => {
  const last = history.at(-1);
  if (last === undefined) throw new Error('a step is sealed with the entry of the history that it makes');
  return stepRecord(last);
};

const dsarFact = (row: DsarRow, step: object): NewFact => ({
  ...{ environmentId: row.environment_id, kind: 'dsar', subject: row.request_id, keep: true },
  record: { ...step, request: dsarRecord(row) },
});

/** Seals a request as it is after its last step. Resolves with the bytes that are stored for it. */
export const sealDsar = (trx: Knex, row: DsarRow): Promise<number> =>
  sealFact(trx, dsarFact(row, lastStep(row)));

/** Seals what an erasure left of a request, with its history: the steps that were sealed go with what they said. */
export const sealErased = (trx: Knex, row: DsarRow, at: string): Promise<number> =>
  sealFact(trx, dsarFact(row, { step: 'erased', at, history: row.history }));

/** The same of several requests of one site. */
export const sealDsars = (trx: Knex, rows: readonly DsarRow[]): Promise<number> =>
  sealFacts(
    trx,
    rows.map((row) => dsarFact(row, lastStep(row))),
  );

/** Seals a breach as it is after its last step. */
export const sealBreach = (trx: Knex, row: BreachRow): Promise<number> =>
  sealFact(trx, {
    ...{ environmentId: row.environment_id, kind: 'breach', subject: row.breach_id, keep: true },
    record: { ...lastStep(row), breach: breachRecord(row) },
  });
