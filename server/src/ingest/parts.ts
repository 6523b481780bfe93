import type { Entry, RecordedEntry } from './entries';
import type { Answers } from './group-queue';

/** The entries of a site that need the same tables. */
export const partOf = ({ site }: Entry, kind: string): string => `${site.id}|${kind}`;

type Order = (names: string[]) => string[];
const byName: Order = (names) => names.sort();

/** Stores the parts of a group one after the other, in the order of their names unless said otherwise. */
export async function inParts(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  store: (part: Entry[], name: string) => Promise<Answers<RecordedEntry>>,
  inOrder = byName,
): Promise<Answers<RecordedEntry>> {
  const parts = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    const name = nameOf(entry);
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [index]);
    else part.push(index);
  }
  const results: Answers<RecordedEntry> = new Array(entries.length);
  for (const name of inOrder([...parts.keys()])) {
    const indexes = parts.get(name) as number[];
    const stored = await store(
      indexes.map((index) => entries[index] as Entry),
      name,
    );
    for (const [n, index] of indexes.entries()) results[index] = stored[n] as RecordedEntry;
  }
  return results;
}

/** From both ends of their order in turn, so that those at one end, such as the oldest sites, do not speak for all. */
export const fromBothEnds: Order = (names) => {
  const sorted = byName(names);
  const half = Math.ceil(sorted.length / 2);
  const last = sorted.slice(half).reverse();
  return sorted.slice(0, half).flatMap((name, index) => [name, ...last.slice(index, index + 1)]);
};

/** The tables that an entry needs besides the counts, a bit for each. Those for owners' programs sort last. */
const tablesOf = ({ decision, outbox, dedupe, audit }: Entry): number =>
  [audit, decision, outbox, dedupe].reduce((bits, part) => bits * 2 + (part === undefined ? 0 : 1), 0);

/** One digit, so that names sort as numbers do. */
const kindOf = (tables: number): string => tables.toString(16);

/** The session of a decision on its site; empty for what is none. */
export const sessionOf = ({ decision }: Entry): string =>
  decision === undefined ? '' : `${decision.environment_id}|${decision.session_id}`;

/** The kind of each entry: what it needs, and of a session's decisions what any of them needs. */
export function kindsBySession(entries: readonly Entry[]): (entry: Entry) => string {
  const bySession = new Map<string, number>();
  for (const entry of entries) {
    const session = sessionOf(entry);
    if (session !== '') bySession.set(session, (bySession.get(session) ?? 0) | tablesOf(entry));
  }
  return (entry) => kindOf(bySession.get(sessionOf(entry)) ?? tablesOf(entry));
}
