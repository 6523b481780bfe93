import { spanOf } from '../../db/ledger/erased';
import type { StoredNote } from '../../db/ledger/erased-notes';
import { sealedOf } from '../../db/ledger/kept';
import { isPending } from '../../db/ledger/pending';
import type { Segment } from '../../db/ledger/segments';
import { readTiles } from '../../db/ledger/tree-rows';
import { edgeOf, GrowingTree } from '../../domain/ledger/append';
import { isGenuineNote } from '../../domain/ledger/erased-note';
import { HASH_BYTES, hashesIn, leafHashes, rootOf } from '../../domain/ledger/hash';
import { WIDTH } from '../../domain/ledger/tiles';
import { findLeaf } from '../proofs';
import { type LogReader, RememberingReader } from '../tile-reader';
import type { Audited } from './audited-site';
import { storedConsents, storedFacts } from './read-rows';

/** Leaves from one number up to but not including another. */
export interface Stretch {
  from: number;
  to: number;
}

/** Records of a stretch's time that are looked at: where more lie, as after an import, a whole audit tells what is gone. */
const MOST_ROWS = 20_000;
/** The same of those that are in no leaf of the stretch, each of which is looked for by itself. */
const MOST_OTHERS = 5_000;

/**
 * Compares some leaves with their records, their records with the log, and their tiles with what is above. False where
 * too many records lie in its time to say that no leaf lacks its own.
 */
export async function judgeStretch(about: Audited, { from, to }: Stretch): Promise<boolean> {
  const leaves = await readStretch(about, { from, to });
  await judgeRoot(about);
  const segments = await segmentsOf(about, { from, to });
  if (segments.length === 0) {
    about.findings.add('tree', `ledger_segments: leaf ${from} lies in no segment`);
    return true;
  }
  const [first, last] = spanOf(segments.flatMap(({ first_at, last_at }) => [first_at, last_at]));
  const isRead = await judgeRecords({ ...about, window: { from: first, to: last } }, leaves);
  return isRead && judgeRest(about, leaves);
}

/** The commitments by leaf; the tiles that are full must have the hash that lies above them. */
async function readStretch(about: Audited, { from, to }: Stretch): Promise<Map<string, number>> {
  const { trx, site, findings } = about;
  const [first, last] = [Math.floor(from / WIDTH), Math.floor((to - 1) / WIDTH)];
  const bundles = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const above = [...new Set(bundles.map((bundle) => Math.floor(bundle / WIDTH)))];
  const tiles = await readTiles(trx, site.id, [
    ...bundles.map((tile) => ({ level: 0, tile })),
    ...above.map((tile) => ({ level: 1, tile })),
  ]);
  const hashes = new Map(tiles.filter(({ level }) => level === 1).map((one) => [one.tile, one.hashes]));
  const leaves = new Map<string, number>();
  for (const { tile, hashes: bytes } of tiles.filter(({ level }) => level === 0)) {
    const entries = hashesIn(bytes);
    const at = (tile % WIDTH) * HASH_BYTES;
    const stored = hashes.get(Math.floor(tile / WIDTH))?.subarray(at, at + HASH_BYTES);
    if (entries.length === WIDTH && !stored?.equals(rootOf(leafHashes(bytes))))
      findings.add(
        'tree',
        `ledger_tiles: leaves ${tile * WIDTH} to ${(tile + 1) * WIDTH - 1} do not fit the hash above`,
      );
    entries.forEach((entry, n) => {
      const leaf = tile * WIDTH + n;
      if (leaf < from || leaf >= to) return;
      const name = entry.toString('hex');
      if (leaves.has(name)) findings.add('twice', `leaf ${leaves.get(name)} and ${leaf}: sealed twice`);
      leaves.set(name, leaf);
    });
  }
  const found = leaves.size;
  if (found < to - from)
    findings.add('tree', `ledger_entries: of leaves ${from} to ${to - 1} only ${found} are there`);
  return leaves;
}

/** The edge of the tree makes the root that was signed. */
async function judgeRoot({ trx, site, head, findings }: Audited): Promise<void> {
  if (head === undefined) return;
  const edge = await readTiles(trx, site.id, edgeOf(head.size));
  let root: Buffer | undefined;
  try {
    root = new GrowingTree(head.size, edge).root();
  } catch {
    root = undefined;
  }
  if (!root?.equals(head.root))
    findings.add('head', 'ledger_heads: the root is not the one that the tiles make');
}

const segmentsOf = ({ trx, site }: Audited, { from, to }: Stretch): Promise<Segment[]> =>
  trx('ledger_segments')
    .where({ environment_id: site.id })
    .where('first_leaf', '>', from - WIDTH)
    .where('first_leaf', '<', to)
    .whereRaw('first_leaf + leaves > ?', [from])
    .orderBy('first_leaf');

/** Takes the leaves away whose records are there; whether all records of the time were read. */
async function judgeRecords(about: Audited, leaves: Map<string, number>): Promise<boolean> {
  const { trx, site, findings, signal } = about;
  const log = new RememberingReader(trx, site.id);
  let read = 0;
  let others = 0;
  for (const rows of [storedConsents(about), storedFacts(about)])
    for await (const some of rows) {
      read += some.length;
      if (read > MOST_ROWS) return false;
      for (const { holder, id, commitment, at } of some) {
        if (commitment === undefined) findings.add('deleted', `fact ${id}: what it is about is gone`);
        else if (!leaves.delete(commitment)) {
          signal?.throwIfAborted();
          others += 1;
          if (others > MOST_OTHERS) return false;
          if (!(await isElsewhere(about, log, { commitment, at: new Date(at) })))
            findings.add('altered', `${holder} ${id} is in no leaf of its time: it was altered or added`);
        }
      }
    }
  return true;
}

/** Whether a record is in another leaf, or waits. */
const isElsewhere = async (
  { trx, site }: Audited,
  log: LogReader,
  { commitment, at }: { commitment: string; at: Date },
): Promise<boolean> =>
  (await findLeaf(log, Buffer.from(commitment, 'hex'), at)) !== undefined ||
  isPending(trx, site.id, { commitment, at });

/**
 * Leaves without a record must be named by an erasure, in a note that is sealed or has a code of ours; whether all notes that
 * may name them were read.
 */
async function judgeRest(about: Audited, leaves: Map<string, number>): Promise<boolean> {
  if (leaves.size === 0) return true;
  const explained = await explainedOf(about, [...leaves.keys()]);
  if (explained === undefined) return false;
  for (const name of explained) leaves.delete(name);
  for (const leaf of leaves.values())
    about.findings.add('deleted', `leaf ${leaf}: no record, and no erasure`);
  return true;
}

/** Notes that one statement searches: a site may have had millions erased. */
const SEARCHED = 200;
/** Of one stretch: of a site with more, a whole audit tells what was deleted. */
const MOST_NOTES = 200_000;

/** Undefined where there are too many notes. */
async function explanationsOf(
  { trx, site: { id }, signal, mostNotes = MOST_NOTES }: Audited,
  names: readonly string[],
): Promise<Explanation[] | undefined> {
  const wanted = names.map((name) => Buffer.from(name, 'hex'));
  const found: Explanation[] = [];
  let read = 0;
  for (let from: NoteKey | undefined; ; ) {
    signal?.throwIfAborted();
    const notes = trx('ledger_erased').where({ environment_id: id }).orderBy(['erasure_id', 'n']);
    if (from !== undefined) notes.whereRaw('(erasure_id, n) > (?, ?)', [from.erasure_id, from.n]);
    const keys: NoteKey[] = await notes.limit(SEARCHED).select('erasure_id', 'n');
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) return found;
    read += keys.length;
    if (read > mostNotes) return undefined;
    const { rows } = await trx.raw<{ rows: Explanation[] }>(
      `SELECT erasure_id, n, commitment FROM (
         SELECT erasure_id, n, substring(commitments FROM 1 + 32 * i FOR 32) AS commitment
         FROM ledger_erased CROSS JOIN LATERAL generate_series(0, length(commitments) / 32 - 1) AS i
         WHERE environment_id = ? AND (erasure_id, n) >= (?, ?) AND (erasure_id, n) <= (?, ?)) AS erased
       WHERE commitment = ANY (?::bytea[])`,
      [id, first.erasure_id, first.n, last.erasure_id, last.n, wanted],
    );
    found.push(...rows);
    if (keys.length < SEARCHED) return found;
    from = last;
  }
}

type NoteKey = Pick<Explanation, 'erasure_id' | 'n'>;

async function explainedOf(about: Audited, wanted: readonly string[]): Promise<string[] | undefined> {
  const { trx, site, groupKey, signal } = about;
  const rows = await explanationsOf(about, wanted);
  if (rows === undefined) return undefined;
  const ids = [...new Set(rows.map(({ erasure_id }) => erasure_id))];
  const sealed = await sealedOf(trx, site.id, 'erasure', ids);
  const open: string[] = await trx('erasures')
    .where({ environment_id: site.id })
    .whereIn('erasure_id', ids)
    .where('running', '>', 0)
    .pluck('erasure_id');
  for (const id of open) sealed.delete(id);
  const genuine = new Set<string>();
  const names = rows.filter(({ erasure_id }) => !sealed.has(erasure_id));
  for (const name of new Map(names.map((row) => [noteName(row), row])).values()) {
    signal?.throwIfAborted();
    const { erasure_id, n } = name;
    const note: StoredNote = await trx('ledger_erased')
      .where({ environment_id: site.id, erasure_id, n })
      .first();
    if (isGenuineNote(groupKey, note, note.mac)) genuine.add(noteName(note));
  }
  return rows
    .filter((row) => sealed.has(row.erasure_id) || genuine.has(noteName(row)))
    .map(({ commitment }) => commitment.toString('hex'));
}

/** Which note names a leaf. */
interface Explanation {
  erasure_id: string;
  n: number;
  commitment: Buffer;
}

const noteName = ({ erasure_id, n }: Pick<Explanation, 'erasure_id' | 'n'>): string => `${erasure_id} ${n}`;
