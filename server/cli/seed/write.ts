import type { Knex } from 'knex';
import { hostsOf } from '../../src/db/knex';
import { keyAt } from '../../src/db/ledger/group-key';
import { commitGroup } from '../../src/ingest/commit-group';
import { Connection } from '../../src/ingest/connection';
import type { Entry } from '../../src/ingest/entries';

/** Entries in one transaction. */
const GROUP = 4_000;
/** The slot of the counts; a running server adds to one of its own or to the same, which is as good. */
const SLOT = 0;

/**
 * Stores entries by the very statements of the visitor path, in large groups, and counts what was stored by
 * kind.
 */
export async function write(db: Knex, entries: Iterable<Entry>): Promise<Map<string, number>> {
  const hosts = hostsOf(db);
  const connection = new Connection(hosts, 'avow seed', () => undefined);
  const how = { groupKey: keyAt(hosts) };
  const written = new Map<string, number>();
  const add = (kind: string): void => void written.set(kind, (written.get(kind) ?? 0) + 1);
  let group: Entry[] = [];
  const flush = async (): Promise<void> => {
    if (group.length > 0)
      await connection.use((session) => commitGroup(session, group, SLOT, { statements: 0 }, how));
    group = [];
  };
  try {
    for (const entry of entries) {
      group.push(entry);
      add(entry.decision?.decision ?? (entry.counts[0]?.metric as string));
      if (entry.decision?.method === 'settings') add('changed');
      if (group.length === GROUP) await flush();
    }
    await flush();
    return written;
  } finally {
    await connection.close();
  }
}
