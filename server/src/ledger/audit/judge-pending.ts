import { groupOf, type StoredGroup } from '../../db/ledger/pending';
import { isGenuine } from '../../domain/ledger/group';
import type { Audited } from './audited-site';

/** Groups that are looked at: more than wait where sealing works. */
const MOST = 500;

/** What waits to be sealed has a code of ours. */
export async function judgeGroups({ trx, site, findings, groupKey }: Audited): Promise<void> {
  const groups: StoredGroup[] = await trx('ledger_pending')
    .where({ environment_id: site.id })
    .orderBy('group_id')
    .limit(MOST);
  for (const group of groups)
    if (!isGenuine(groupKey, groupOf(group), group.mac))
      findings.add('group', `ledger_pending: group ${group.group_id} has a code that no server made`);
}
