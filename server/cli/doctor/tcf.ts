import type { Knex } from 'knex';
import type { Config } from '../../src/config';
import { databaseTime } from '../../src/db/clock';
import { listState } from '../../src/db/global-vendor-list';
import { DAY_MS } from '../../src/domain/time';
import { broken, type Finding, fine, warning } from './finding';

/** Days after which a list has missed two that IAB Europe has made. */
const OLD = 21;

/** Whether the server can ask by IAB Europe's framework; nothing where the operator is no CMP. */
export async function checkTcf(db: Knex, { tcfCmpId, tcfList }: Config): Promise<Finding[]> {
  if (tcfCmpId === undefined) return [];
  const { version, stored_at, problem } = await listState(db);
  const about = `TCF: CMP ${tcfCmpId}`;
  const advice =
    tcfList === 'off'
      ? 'import one with npm run import-gvl -- FILE --tcf'
      : 'check TCF_LIST, and whether this machine reaches it';
  const because = problem === null ? '' : ` (${problem})`;
  if (version === null || stored_at === null)
    return [broken(`${about}, and no Global Vendor List yet${because}`, advice)];
  const days = Math.floor(((await databaseTime(db)).getTime() - stored_at.getTime()) / DAY_MS);
  const text = `${about}, Global Vendor List ${version}, stored ${days} days ago`;
  return [days > OLD || problem !== null ? warning(`${text}${because}`, advice) : fine(text)];
}
