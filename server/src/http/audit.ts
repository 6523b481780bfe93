import type { Knex } from 'knex';
import type { Caller } from '../api/handler';
import type { Context } from '../context';
import { type Json, resolve } from '../contract/document';
import type { Operation } from '../contract/operations';
import { type Changes, changesOf } from '../domain/audit';
import { resourceOf } from '../domain/audit-resource';
import { maskAddress } from '../domain/mask';
import { Audit, unrecorded } from '../services/audit';
import type { Exchange } from './exchange';

/** A request as far as its event in the audit trail must know it. */
interface Audited {
  operation: Operation;
  params: Record<string, string>;
  address: string;
  caller?: Caller;
}

/** The audit event of a request, to be written with its change; undefined for operations that have none. */
export function auditOf(
  { requestId }: Exchange,
  { operation, address, caller }: Audited,
  environmentId: string | undefined,
): Audit | undefined {
  const { id, audit: kind } = operation;
  if (kind === undefined) return undefined;
  const audit = new Audit({
    ...{ operation: id, kind, requestId, ipMasked: maskAddress(address) },
    via: caller?.key === undefined ? 'login' : 'key',
    begunBy: caller?.session.begunBy,
    userId: caller?.userId,
    keyId: caller?.key?.id,
  });
  audit.note({ environmentId: environmentId ?? null });
  return audit;
}

/** Writes it in the transaction that the operation runs in. Strangers who start a scan are not in the trail. */
export async function recordChange(
  trx: Knex,
  audit: Audit | undefined,
  { params, caller }: Audited,
  answer: unknown,
): Promise<void> {
  if (caller !== undefined) await audit?.finish(trx, resourceOf(params, answer));
}

/**
 * The answer of an operation without a transaction of the binding. An export is recorded before its first byte: of
 * what nobody recorded, nothing is sent. An operation that changes something has done so itself.
 */
export async function recordExport(
  { db }: Context,
  { head }: Exchange,
  audit: Audit | undefined,
  { operation, params }: Audited,
  query: Record<string, unknown>,
  answer: unknown,
): Promise<unknown> {
  if (operation.audit !== 'export' || head) return unrecorded(answer);
  audit?.note({ changes: limitsOf(operation, query) });
  await audit?.finish(db, resourceOf(params, undefined));
  return answer;
}

/** What an export was limited to. Of texts, which may be of a data subject, only that they were given. */
function limitsOf({ parameters }: Operation, query: Record<string, unknown>): Changes {
  const limits = parameters
    .filter(({ name, in: place }: Json) => place === 'query' && query[name] !== undefined)
    .map(({ name, schema }: Json) => [`query.${name}`, isPlain(resolve(schema)) ? query[name] : '***']);
  return changesOf({}, Object.fromEntries(limits));
}

const isPlain = (schema: Json): boolean =>
  schema.enum !== undefined || schema['x-site-time'] === true || ['integer', 'boolean'].includes(schema.type);
