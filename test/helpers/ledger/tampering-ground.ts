import type { Knex } from 'knex';
import { hashesIn } from '../../../server/src/domain/ledger/hash';
import type { TestServer } from '../server';
import { type FilledSite, filledSite, namedBy, otherSite } from './filled-site';
import { RECORDS } from './record-tables';
import { allColumns, RowChanges } from './row-changes';
import { decide, type SealedSite } from './sealed-site';
import { type Held, heldOf, leavesOf } from './thief';

/** Whether a pack and a witness have what is tampered with, or nobody outside. */
export type Place = 'handed out' | 'later';

/** Two rows of a place by their keys, with the leaves that they are in. */
export interface Pair {
  keys: [string, string];
  leaves: [number, number];
  /** What an audit names, where that is not the rows themselves. */
  named?: [string, string];
}
export type Pairs = Map<string, Record<Place, Pair>>;

/** Two sites of one server, with what the log of the first one is made of. */
export interface Ground {
  server: TestServer;
  site: FilledSite;
  other: SealedSite;
  rows: RowChanges;
  held: Held;
  heldByOther: Held;
  /** The commitments of the first site's log. */
  leaves: readonly string[];
  pairs: Pairs;
}

export async function makeGround(server: TestServer): Promise<Ground> {
  const site = await filledSite(server);
  const other = await otherSite(server);
  for (let n = 0; n < 2; n += 1) await decide(server, site.token);
  const { db } = server.service.context;
  const rows = new RowChanges(await allColumns(db));
  const [held, heldByOther] = [await heldOf(db, site), await heldOf(db, other)];
  const leaves = hashesIn(await leavesOf(db, site.id)).map((hash) => hash.toString('hex'));
  const ground = { server, site, other, rows, held, heldByOther, leaves };
  return { ...ground, pairs: await pairsOf(db, ground) };
}

/** The rows of a table at a place. */
export function pairOf({ pairs }: Ground, table: string, place: Place): Pair {
  const found = pairs.get(table);
  if (found === undefined) throw new Error(`there are no two rows of ${table}`);
  return found[place];
}

/** Who is in a leaf. */
export const holderOf = ({ held, leaves }: Ground, leaf: number): string | undefined =>
  [...held.rows.values()].find(({ commitment }) => commitment === leaves[leaf])?.id;

async function pairsOf(db: Knex, { server, site, held, leaves }: Omit<Ground, 'pairs'>): Promise<Pairs> {
  const found: Pairs = new Map();
  const position = new Map(leaves.map((commitment, leaf) => [commitment, leaf]));
  const leafOf = (id: string): number => position.get(held.rows.get(id)?.commitment ?? '') ?? -1;
  const where = { environment_id: site.id };
  const placed = async (
    name: string,
    pairAt: (numbers: [number, number], place: Place) => Promise<Pair>,
  ): Promise<void> => {
    const pair = { 'handed out': await pairAt([1, 2], 'handed out'), later: await pairAt([3, 4], 'later') };
    for (const [place, { leaves: some }] of Object.entries(pair))
      for (const leaf of some)
        if (leaf < 0 || leaf < site.handedOut !== (place === 'handed out'))
          throw new Error(`${name}: leaf ${leaf} is not where it should be: ${place}`);
    found.set(name, pair);
  };
  const two = async <Value>(
    [a, b]: [number, number],
    of: (n: number) => Promise<Value>,
  ): Promise<[Value, Value]> => [await of(a), await of(b)];
  const consentOf = async (n: number) =>
    (await namedBy(server, site.id, `https://shop.example.com/page-${n}`)) as Record<string, string>;
  for (const [name, key] of [
    ['consents', 'consent_id'],
    ['consent_words (text)', 'page'],
    ['consent_words (kind)', 'kind'],
  ] as const)
    await placed(name, async (numbers) => {
      const [a, b] = await two(numbers, consentOf);
      const ids = [a.consent_id, b.consent_id] as [string, string];
      return {
        keys: [a[key], b[key]] as [string, string],
        leaves: [leafOf(ids[0]), leafOf(ids[1])],
        named: ids,
      };
    });
  for (const { table, kind } of RECORDS) {
    if (kind === undefined) continue;
    const facts: { fact_id: string; subject: string }[] = await db('ledger_facts')
      .where({ ...where, kind })
      .orderBy('fact_id');
    await placed(table, async (numbers) => {
      // The first one is of the site as it was made.
      const all = facts.filter(({ subject }) => facts.filter((one) => one.subject === subject).length === 1);
      const some = all.slice(-4);
      const [a, b] = numbers.map((n) => some[n - 1]) as [(typeof some)[0], (typeof some)[0]];
      return { keys: [a.subject, b.subject], leaves: [leafOf(a.fact_id), leafOf(b.fact_id)] };
    });
  }
  await placed('settings_parts', async (_, place) => {
    const { keys: versions, leaves: some } = (found.get('settings_versions') as Record<Place, Pair>)[place];
    const [a, b] = await Promise.all(
      versions.map(async (version) => {
        const { rows } = await db.raw(
          `SELECT p.hash FROM settings_parts p JOIN settings_versions v ON v.environment_id = p.environment_id
           WHERE p.environment_id = ? AND v.version = ? AND position(p.hash IN v.settings::text) > 0`,
          [site.id, Number(version)],
        );
        return rows[0].hash as string;
      }),
    );
    return { keys: [a as string, b as string], leaves: some, named: versions };
  });
  return found;
}
