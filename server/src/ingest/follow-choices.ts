import type { Entry } from './entries';
import { FOLLOW_CHOICE, type StoredDecision, UPSERT_CHOICES, valuesToFollow } from './statements';
import { type Look, toStep } from './transaction';

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

const keyOf = ({ environment_id, session_id }: StoredDecision): string => `${environment_id}|${session_id}`;

/**
 * The statements of a group's latest choices: decisions that were brought along by themselves, since there are few, between
 * the others and in the order of all keys, so that two processes never deadlock. Behind an other one of the same session:
 * they are overtaken by it, and added to `late`.
 */
export function choiceLooks(
  choices: readonly StoredDecision[],
  { entries, decisions }: { entries: readonly Entry[]; decisions: readonly StoredDecision[] },
  { sent, late }: { sent: string | null; late: Entry[] },
): Look[] {
  const stored = new Map(decisions.map((row) => [row.consent_id, row]));
  const rest = [...choices];
  const upTo = (key?: string): Look[] => {
    const end = key === undefined ? -1 : rest.findIndex((row) => keyOf(row) > key);
    const rows = rest.splice(0, end === -1 ? rest.length : end);
    return rows.length === 0 ? [] : [{ step: toStep(UPSERT_CHOICES, rows, [sent]), take: () => undefined }];
  };
  const following = entries
    .filter(isFollowing)
    .map((entry) => ({ entry, row: stored.get(entry.decision?.consent_id as string) as StoredDecision }))
    .sort((a, b) => (keyOf(a.row) < keyOf(b.row) ? -1 : Number(keyOf(a.row) > keyOf(b.row))));
  const looks = following.flatMap(({ entry, row }) => [
    ...upTo(keyOf(row)),
    {
      step: { ...FOLLOW_CHOICE, values: valuesToFollow(entry.follows, row) },
      take: (rows: unknown[]) => void (rows.length === 1 || late.push(entry)),
    },
  ]);
  return [...looks, ...upTo()];
}
