import type { Context } from '../context';
import { logFailure } from '../observability/failures';
import { inTurn } from '../security/login-turns';
import type { Audit } from './audit';

/**
 * Notes a log-in with a wrong password in the account's trail. Nobody waits for it: otherwise an address that has an
 * account would be refused later than one that has none. How many there can be is bounded by the limit of log-ins.
 */
export function noteRefusal({ db, log }: Pick<Context, 'db' | 'log'>, audit: Audit, accountId: number): void {
  const turn = { turns: 'entries', sender: ['refusals', String(accountId)] } as const;
  void inTurn(turn, () => audit.refuse(db, accountId)).catch((error) =>
    logFailure(log, 'warn', { error }, 'a refused log-in was not noted'),
  );
}
