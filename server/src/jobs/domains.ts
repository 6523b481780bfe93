import type { Knex } from 'knex';
import { beginCheck, type DueDomain, dueDomains, noteProof } from '../db/domain-proofs';
import { endsAll } from '../db/errors';
import { logFailure } from '../observability/failures';
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
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined && !signal?.aborted; next = due.shift())
      try {
        if (await check(db, prove, next, now, signal)) proven += 1;
      } catch (error) {
        // Without a database none can be checked.
        if (endsAll(error)) throw error;
        const { environment_id } = next;
        logFailure(
          log,
          'error',
          { error, environment_id },
          'a domain could not be checked; it is tried again',
        );
        failures.push(error);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (proven > 0) log.info({ domains: proven }, 'proofs of domains were found');
  // The others were checked, and the run has failed all the same.
  if (failures.length > 0) throw failures[0];
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
