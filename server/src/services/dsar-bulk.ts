import type { Knex } from 'knex';
import { ApiError } from '../domain/errors';
import { beginning } from '../domain/text';
import type { DsarOutcome } from '../domain/types';
import type { Audit } from './audit';

/** Requests that weigh as one more call. */
const OF_ONE = 10;

interface Asked {
  trx: Knex.Transaction;
  audit: Audit;
  countMore(more: number): void;
}

/** What a step is given of one request: what it does is taken back if it fails. */
type Step = (own: { request_id: string; trx: Knex.Transaction; audit: Audit }) => Promise<unknown>;

/**
 * Takes a step on each request, and tells what became of it. Each has an audit event of its own, and is locked in the order
 * of the ids, so that two calls never wait for each other.
 */
export async function takeEach(
  { trx, audit, countMore }: Asked,
  request_ids: readonly string[],
  step: Step,
): Promise<{ items: DsarOutcome[] }> {
  const ids = [...new Set(request_ids.map((id) => id.toLowerCase()))];
  countMore(Math.floor(ids.length / OF_ONE));
  // Each request has its own.
  audit.nothingChanged();
  const outcomes = new Map<string, DsarOutcome>();
  for (const request_id of [...ids].sort())
    outcomes.set(request_id, await takeOne({ trx, audit: audit.another() }, request_id, step));
  return { items: ids.flatMap((id) => outcomes.get(id) ?? []) };
}

async function takeOne(
  { trx, audit }: Pick<Asked, 'trx' | 'audit'>,
  request_id: string,
  step: Step,
): Promise<DsarOutcome> {
  try {
    await trx.transaction(async (inner) => {
      await step({ request_id, trx: inner, audit });
      await audit.finish(inner, { resource: 'request', resource_id: request_id });
    });
    return { request_id, done: true, code: null, message: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { request_id, done: false, code: error.code, message: beginning(reasonOf(error), 1_000) };
  }
}

/** The wrong fields by name, since the answer has no place for them. */
const reasonOf = ({ message, errors }: ApiError): string =>
  errors.length === 0
    ? message
    : `${errors.map(({ path, message: wrong }) => `${path.replace(/^body\./, '')} ${wrong}`).join('; ')}.`;
