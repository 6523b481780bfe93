import { randomInt, randomUUID } from 'node:crypto';
import { ErasureRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { idAt, timeOfId } from '../../domain/ids';
import type { SteppedKind } from '../../domain/ledger/step-rules';
import { type Audited, NIL } from './audited-site';
import { judgeSome } from './judge-erasures';
import { idOf, judgeStepped, steppedRows } from './judge-steps';

/** Requests, breaches and erasures of a site that a sample judges, of each so many: most sites have no more. */
const ROWS = 100;
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Judges some rows that change, from a random one on, and what the sample before has named. How many.
 * @param problem what that one found
 */
export async function judgeSomeRows(about: Audited, problem: string | null): Promise<number> {
  const named = (problem?.match(IDS) ?? []).slice(0, ROWS);
  return (
    (await someSteps(about, 'dsar', named)) +
    (await someSteps(about, 'breach', named)) +
    (await someErasures(about, named))
  );
}

async function someSteps(about: Audited, kind: SteppedKind, named: readonly string[]): Promise<number> {
  const [first] = await steppedRows(about, kind, { after: NIL, limit: 1 });
  if (first === undefined) return 0;
  const start = randomSince(idOf(kind, first));
  const rows = await around(start, (range) => steppedRows(about, kind, range));
  if (named.length > 0)
    rows.push(...(await steppedRows(about, kind, { after: NIL, ids: named, limit: named.length })));
  const known = new Map(rows.map((row) => [idOf(kind, row), row]));
  await judgeStepped(about, kind, [...known.values()]);
  return known.size;
}

async function someErasures(about: Audited, named: readonly string[]): Promise<number> {
  const { trx, site } = about;
  const query = () => ErasureRow.query(trx).where({ environment_id: site.id }).orderBy('erasure_id');
  const first = await query().first();
  if (first === undefined) return 0;
  // Those of rules have ids without a time.
  const start = randomInt(2) === 0 ? randomUUID() : randomSince(first.erasure_id);
  const rows = await around(start, ({ after, to, limit }) => {
    const some = query().where('erasure_id', '>', after).limit(limit);
    return to === undefined ? some : some.where('erasure_id', '<=', to);
  });
  rows.push(...(await query().whereIn('erasure_id', [...named])));
  const known = new Map(rows.map((row) => [row.erasure_id, row]));
  await judgeSome(about, [...known.values()], true);
  return known.size;
}

/** Rows after an id, then from the first one on. */
async function around<Row>(
  start: string,
  read: (range: { after: string; to?: string; limit: number }) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows = await read({ after: start, limit: ROWS });
  if (rows.length === ROWS) return rows;
  return [...rows, ...(await read({ after: NIL, to: start, limit: ROWS - rows.length }))];
}

/** An id of a random instant since that of another one. */
function randomSince(id: string): string {
  const [from, to] = [timeOfId(id).getTime(), clock.now()];
  return idAt(new Date(from + randomInt(Math.max(1, to - from))));
}
