import type { Knex } from 'knex';
import { beginCheck, type DueDomain, dueDomains, noteProof } from '../db/domain-proofs';
import type { Logger } from '../observability/logger';
import type { Prover } from '../scan/prove-domain';

/** Domains per run, and how many of them at once. */
const MANY = 100;
const AT_ONCE = 4;

/** Checks the proofs of domains that were not checked for a day. */
export async function checkDomains(
  db: Knex,
  log: Logger,
  prove: Prover,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const due = await dueDomains(db, now, MANY);
  let proven = 0;
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined && !signal?.aborted; next = due.shift())
      if (await check(db, prove, next, now, signal)) proven += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (proven > 0) log.info({ domains: proven }, 'proofs of domains were found');
}

async function check(
  db: Knex,
  prove: Prover,
  due: DueDomain,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!(await beginCheck(db, due, now, now))) return false;
  const method = await prove(due, signal);
  if (method === undefined) return false;
  await noteProof(db, due, method, now);
  return true;
}
