import type { Knex } from 'knex';
import type { Evidence } from '../../domain/compliance/evidence';
import { ROLLED_BACK, unvouchedBefore } from '../../domain/ledger/vouching-warnings';
import { auditStateOf } from './audits';
import { headOf } from './heads';
import type { VoucherRow } from './vouchers';

/** What the compliance checks need of a site's log: a few rows by their keys. @param asked who is to vouch for it */
export async function gatherLog(
  db: Knex,
  environment_id: string,
  asked: readonly string[],
  now: Date,
): Promise<Evidence['log']> {
  const head = await headOf(db, environment_id);
  // Ids of groups begin with their time.
  const oldest = await db('ledger_pending')
    .where({ environment_id })
    .orderBy('group_id')
    .first<{ last_at: Date } | undefined>('last_at');
  const vouchers: VoucherRow[] = await db<VoucherRow>('ledger_vouchers')
    .where({ environment_id })
    .whereIn('voucher', [...asked]);
  const since = unvouchedBefore(now);
  const audit = await auditStateOf(db, environment_id);
  return {
    size: Number(head?.size ?? 0),
    waitingSince: oldest?.last_at,
    vouchers: vouchers.filter(
      ({ vouched_at, failing_since }) =>
        vouched_at !== null && (failing_since === null || failing_since >= since),
    ).length,
    isRolledBack: vouchers.some(({ problem }) => problem !== null && ROLLED_BACK.includes(problem)),
    isDamaged: (audit?.damaged_since ?? null) !== null,
  };
}
