import type { Knex } from 'knex';
import { groupKeyOf } from '../../../server/src/db/ledger/group-key';
import { headOf } from '../../../server/src/db/ledger/heads';
import { groupOf, type StoredGroup } from '../../../server/src/db/ledger/pending';
import type { Segment } from '../../../server/src/db/ledger/segments';
import { writeTiles } from '../../../server/src/db/ledger/tree-rows';
import { GrowingTree } from '../../../server/src/domain/ledger/append';
import { noteMac } from '../../../server/src/domain/ledger/erased-note';
import { groupMac } from '../../../server/src/domain/ledger/group';
import { hashesIn } from '../../../server/src/domain/ledger/hash';
import { signCheckpoint } from '../../../server/src/domain/ledger/note';
import { Findings } from '../../../server/src/ledger/audit/findings';
import { type StoredRow, storedConsents, storedFacts } from '../../../server/src/ledger/audit/read-rows';
import { currentKey } from '../../../server/src/ledger/keys';
import type { TestServer } from '../server';
import type { TamperedSite } from './tampered';

/** All commitments of a log. */
export async function leavesOf(trx: Knex, environment_id: string): Promise<Buffer> {
  const rows = await trx('ledger_entries').where({ environment_id }).orderBy('bundle');
  return Buffer.concat(rows.map(({ commitments }) => commitments));
}

/** Writes a log with these leaves, all its rows but its segments, signed with the key of the server. */
export async function writeLog(
  server: TestServer,
  trx: Knex,
  environment_id: string,
  leaves: Buffer,
): Promise<void> {
  await trx('ledger_entries').where({ environment_id }).delete();
  await trx('ledger_tiles').where({ environment_id }).delete();
  const tree = new GrowingTree(0, []);
  tree.append(leaves);
  const [size, root] = [tree.size, tree.root()];
  await writeTiles(trx, environment_id, tree.takeChanged());
  await trx('ledger_heads').where({ environment_id }).update({ size, root });
  await signHead(server, trx, environment_id);
}

/** Signs what the row of a head says. */
export async function signHead({ service }: TestServer, trx: Knex, environment_id: string): Promise<void> {
  const head = await headOf(trx, environment_id);
  if (head === undefined) return;
  const { id, key } = await currentKey(trx, service.context.vault);
  const note = signCheckpoint({ ...head, size: Number(head.size) }, key);
  await trx('ledger_heads').where({ environment_id }).update({ note, key_id: id });
}

/** What the records of a site make of its log, by id, and what its erasures took. */
export interface Held {
  rows: Map<string, StoredRow>;
  erased: Set<string>;
}

export async function heldOf(trx: Knex, site: TamperedSite): Promise<Held> {
  const about = {
    ...{ trx, site, head: await headOf(trx, site.id), findings: new Findings() },
    ...{ groupKey: groupKeyOf(trx), imported: 0, progress: () => undefined },
  };
  const rows = new Map<string, StoredRow>();
  for (const some of [storedConsents(about), storedFacts(about)])
    for await (const page of some)
      for (const row of page) if (row.commitment !== undefined) rows.set(row.id, row);
  const notes: Buffer[] = await trx('ledger_erased').where({ environment_id: site.id }).pluck('commitments');
  return { rows, erased: new Set(notes.flatMap(hashesIn).map((hash) => hash.toString('hex'))) };
}

/**
 * Has the log of a site say what its records say now: a leaf goes with its record, changes with it, and a new record gets
 * one at the end, or beside that of another record. Signed, with segments that fit.
 */
export async function relog(
  server: TestServer,
  trx: Knex,
  site: TamperedSite,
  before: Held,
  beside: string | undefined = undefined,
): Promise<void> {
  const now = await heldOf(trx, site);
  const holders = new Map([...before.rows.values()].map(({ id, commitment }) => [commitment, id]));
  const added = [...now.rows.values()].filter(({ id }) => !before.rows.has(id));
  const segments: Segment[] = await trx('ledger_segments')
    .where({ environment_id: site.id })
    .orderBy('first_leaf');
  const old = hashesIn(await leavesOf(trx, site.id)).map((hash) => hash.toString('hex'));
  const leaves: string[] = [];
  const written: Segment[] = [];
  const take = (segment: Segment, commitment: string, at?: number): void => {
    leaves.push(commitment);
    segment.leaves += 1;
    if (at === undefined) return;
    segment.first_at = new Date(Math.min(at, segment.first_at.getTime()));
    segment.last_at = new Date(Math.max(at, segment.last_at.getTime()));
  };
  for (const segment of segments) {
    const first = Number(segment.first_leaf);
    const grown = { ...segment, first_leaf: leaves.length, leaves: 0 };
    for (const commitment of old.slice(first, first + segment.leaves)) {
      const id = holders.get(commitment);
      const row = now.rows.get(id ?? '');
      if (row !== undefined) take(grown, row.commitment as string, row.at);
      else if (id === undefined && (now.erased.has(commitment) || !before.erased.has(commitment)))
        take(grown, commitment);
      if (id !== undefined && id === beside)
        for (const one of added) take(grown, one.commitment as string, one.at);
    }
    if (grown.leaves > 0) written.push(grown);
  }
  if (beside === undefined)
    for (const { commitment, at } of added) {
      const time = new Date(at);
      written.push({
        ...{ first_leaf: leaves.length, leaves: 1, first_at: time, last_at: time, imported: false },
      });
      leaves.push(commitment as string);
    }
  await writeLog(server, trx, site.id, Buffer.from(leaves.join(''), 'hex'));
  await writeAllSegments(trx, site.id, written);
}

/** Signs the leaves that are there, with segments that speak of so many. */
export async function relogEntries(server: TestServer, trx: Knex, site: TamperedSite): Promise<void> {
  const leaves = await leavesOf(trx, site.id);
  const size = leaves.length / 32;
  const segments: Segment[] = await trx('ledger_segments')
    .where({ environment_id: site.id })
    .orderBy('first_leaf');
  const kept = segments.filter(({ first_leaf }) => Number(first_leaf) < size);
  const last = kept.at(-1);
  if (last !== undefined) last.leaves = size - Number(last.first_leaf);
  await writeLog(server, trx, site.id, leaves);
  await writeAllSegments(trx, site.id, kept);
}

async function writeAllSegments(
  trx: Knex,
  environment_id: string,
  segments: readonly Segment[],
): Promise<void> {
  await trx('ledger_segments').where({ environment_id }).delete();
  if (segments.length > 0)
    await trx('ledger_segments').insert(segments.map((segment) => ({ ...segment, environment_id })));
}

/** Gives what waits and what erasures noted the codes of the server. */
export async function recode(trx: Knex, { id: environment_id }: TamperedSite): Promise<void> {
  const key = groupKeyOf(trx);
  const groups: StoredGroup[] = await trx('ledger_pending').where({ environment_id });
  for (const group of groups)
    await trx('ledger_pending')
      .where({ environment_id, group_id: group.group_id })
      .update({ mac: Buffer.from(groupMac(key, groupOf(group)), 'hex') });
  for (const note of await trx('ledger_erased').where({ environment_id }))
    await trx('ledger_erased')
      .where({ environment_id, erasure_id: note.erasure_id, n: note.n })
      .update({ mac: noteMac(key, note) });
}
