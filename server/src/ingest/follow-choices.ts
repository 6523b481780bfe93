import type { Entry } from './entries';
import { FOLLOW_CHOICE, type StoredDecision, valuesToFollow } from './statements';
import type { Transaction } from './transaction';

/** The latest choice of the session is another by now: whoever brought the old one along looks again. */
export class Overtaken extends Error {
  override name = 'Overtaken';

  constructor() {
    super('the latest choice of the session is another one by now');
  }
}

type Following = Entry & { follows: string };
const isFollowing = (entry: Entry): entry is Following => entry.follows !== undefined;

/** Those that become the latest choice whatever it was. */
export const withoutFollowers = (
  decisions: StoredDecision[],
  entries: readonly Entry[],
): StoredDecision[] => {
  const ids = new Set(entries.filter(isFollowing).map(({ decision }) => decision?.consent_id));
  return ids.size === 0 ? decisions : decisions.filter(({ consent_id }) => !ids.has(consent_id as string));
};

/**
 * Makes decisions that were brought along the latest choices, one by one behind all others of the group: there are few.
 * Returns those that were overtaken.
 */
export async function followChoices(
  transaction: Transaction,
  entries: readonly Entry[],
  decisions: readonly StoredDecision[],
): Promise<Entry[]> {
  const following = entries.filter(isFollowing);
  if (following.length === 0) return [];
  const stored = new Map(decisions.map((row) => [row.consent_id, row]));
  const steps = following.map(({ follows, decision }) => ({
    ...FOLLOW_CHOICE,
    values: valuesToFollow(follows, stored.get(decision?.consent_id as string) as StoredDecision),
  }));
  const answers = await transaction.read(steps);
  return following.filter((_, index) => answers[index]?.length !== 1);
}
