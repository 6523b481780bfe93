import { beginning } from '../text';
import { DAY_MS } from '../time';
import type { Warning } from '../types';

/** A list is made each week: one that is older than three has missed two. */
const OLD = 21 * DAY_MS;
const SHOWN = 160;

/** What of the framework a site lacks. */
export interface TcfTrouble {
  hasCmp: boolean;
  /** null before the first. */
  stored_at: Date | null;
  checked_at: Date | null;
  problem: string | null;
}

/** Whether the server's vendor list is out of date; undefined while it is not. */
export function tcfWarning(
  { hasCmp, stored_at, checked_at, problem }: TcfTrouble,
  now: Date,
): Warning | undefined {
  const why = reasonOf(hasCmp, stored_at, problem, now);
  if (why === undefined) return undefined;
  return {
    code: 'tcf_list_old',
    severity: 'warning',
    message: `${why}: ask whoever runs this server to look at TCF_CMP_ID and TCF_LIST. Visitors get the banner that is published.`,
    subject_id: null,
    since: (stored_at ?? checked_at ?? now).toISOString(),
  };
}

function reasonOf(
  hasCmp: boolean,
  stored_at: Date | null,
  problem: string | null,
  now: Date,
): string | undefined {
  if (!hasCmp)
    return 'This server is no CMP of IAB Europe’s framework any more, so that no banner with it can be made';
  const because = problem === null ? '' : ` (${beginning(problem, SHOWN)})`;
  if (stored_at === null) return `There is no Global Vendor List yet${because}`;
  return problem !== null && now.getTime() - stored_at.getTime() > OLD
    ? `The Global Vendor List has not become newer for three weeks${because}`
    : undefined;
}
