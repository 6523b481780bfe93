import type { HistoryEntry, SearchOrigin, SearchState, Settings, SiteSystem } from './types';

/** Lines of one request, at most. */
export const MOST_LINES = 200;

/** A system that may be put on a list. */
export interface NamedSystem {
  name: string;
  origin: SearchOrigin;
}

/** Names that differ in case and blanks only are one system. */
export const systemKey = (name: string): string =>
  name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();

/** What a site says of where it keeps data: its systems, then the activities of its records, then their recipients. */
export function systemsNamed(
  systems: readonly SiteSystem[],
  { processing_activities: activities }: Pick<Settings, 'processing_activities'>,
): NamedSystem[] {
  return [
    ...systems.map(({ name }): NamedSystem => ({ name, origin: 'system' })),
    ...activities.map(({ name }): NamedSystem => ({ name, origin: 'activity' })),
    ...activities.flatMap(({ recipients }) =>
      recipients.map((name): NamedSystem => ({ name, origin: 'recipient' })),
    ),
  ];
}

/** Of these, each once, what is not listed yet. */
export function notListed(named: readonly NamedSystem[], listed: Iterable<string>): NamedSystem[] {
  const known = new Set([...listed].map(systemKey));
  return named.filter(({ name }) => {
    const key = systemKey(name);
    if (key === '' || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

const IN_WORDS: Record<Exclude<SearchState, 'open'>, string> = {
  searched: 'searched',
  data_found: 'data found',
  nothing_found: 'nothing found',
  not_applicable: 'not applicable',
};

/** What is known of a line. */
export interface SearchedLine {
  name: string;
  state: SearchState;
  note: string | null;
  actor: string | null;
  user_id: number | null;
  key_id: string | null;
  at: Date | null;
}

/** A history together with what came of the searches, by time. */
export function withSearches(
  history: readonly HistoryEntry[],
  lines: readonly SearchedLine[],
): HistoryEntry[] {
  const searches = lines.flatMap(({ name, state, note, actor, user_id, key_id, at }): HistoryEntry[] => {
    if (state === 'open' || at === null) return [];
    const said = `${name}: ${IN_WORDS[state]}${note === null ? '' : `. ${note}`}`;
    return [
      {
        ...{ at: at.toISOString(), actor: actor ?? '', action: 'system searched', note: said },
        ...(user_id === null ? {} : { user_id }),
        ...(key_id === null ? {} : { key_id }),
      },
    ];
  });
  // Entries of the history stay in their order.
  return [...history, ...searches].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
