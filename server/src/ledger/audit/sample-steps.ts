import { randomInt, randomUUID } from 'node:crypto';
import { sealedSizes } from '../../db/ledger/kept';
import { ErasureRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { idAt, timeOfId } from '../../domain/ids';
import type { SteppedKind } from '../../domain/ledger/step-rules';
import { type Audited, NIL } from './audited-site';
import { Budget } from './budget';
import { DAMAGES, type Findings } from './findings';
import { judgeSome } from './judge-erasures';
import { judgeStepped, steppedIds } from './judge-steps';

/** Requests, breaches and erasures of a site that a sample looks at, of each so many: most sites have no more. */
const ROWS = 100;
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Judges some rows that change: what the sample before has named, then those from a random one on, as far as what was
 * sealed of them is no more than a sample may read. What is left out waits for another sample, or for the whole audit.
 * Resolves with the statements that were judged.
 * @param problem what the one before found
 */
export async function judgeSomeRows(about: Audited, problem: string | null): Promise<number> {
  const named = idsIn(problem).slice(0, ROWS);
  let judged = 0;
  const unjudged = new Set<string>();
  for (const judge of [someSteps('dsar'), someSteps('breach'), someErasures]) {
    const budget = new Budget();
    const left = await judge(about, named, budget);
    judged += budget.taken.statements;
    for (const id of left) unjudged.add(id);
  }
  keepProblem(about, problem, (line) => idsIn(line).some((id) => unjudged.has(id)));
  return judged;
}

const idsIn = (text: string | null): string[] => [...new Set(text?.match(IDS) ?? [])];

/** What was found stays until it was looked at again, as far as it was not. */
export function keepProblem(
  { findings }: Audited,
  problem: string | null,
  isLeft: (line: string) => boolean = () => true,
): void {
  for (const line of problem?.split('\n').filter(isLeft) ?? []) {
    const [, name, text] = /^(\w+): (.*)$/.exec(line) ?? [];
    const damage = DAMAGES.find((one) => one === name);
    if (damage === undefined || text === undefined || findings.of(damage).includes(text)) continue;
    findings.add(damage, text);
  }
}

/** What is kept of a sample for the next one: the worst, then what was known before, which random rows shall not displace. */
export function linesOf(findings: Findings, problem: string | null): string[] {
  const [worst, ...others] = findings.all().map(({ damage, text }) => `${damage}: ${text}`);
  if (worst === undefined) return [];
  const known = new Set(idsIn(problem));
  const isKnown = (line: string): boolean => idsIn(line).some((id) => known.has(id));
  return [worst, ...others.filter(isKnown), ...others.filter((line) => !isKnown(line))];
}

/** Judges some; resolves with those for which there was no room. */
type Judge = (about: Audited, named: readonly string[], budget: Budget) => Promise<string[]>;

const someSteps =
  (kind: SteppedKind): Judge =>
  async (about, named, budget) => {
    const left = await judgeStepped(about, kind, named, budget);
    const [first] = await steppedIds(about, kind, { after: NIL, limit: 1 });
    if (first === undefined) return left;
    const ids = await around(randomSince(first), (range) => steppedIds(about, kind, range));
    const others = ids.filter((id) => !named.includes(id));
    return [...left, ...(await judgeStepped(about, kind, others, budget))];
  };

const someErasures: Judge = async (about, named, budget) => {
  const { trx, site } = about;
  const query = () => ErasureRow.query(trx).where({ environment_id: site.id }).orderBy('erasure_id');
  const first = await query().first();
  if (first === undefined) return [];
  // Those of rules have ids without a time.
  const start = randomInt(2) === 0 ? randomUUID() : randomSince(first.erasure_id);
  const some = await around(start, ({ after, to, limit }) => {
    const range = query().where('erasure_id', '>', after).limit(limit);
    return to === undefined ? range : range.where('erasure_id', '<=', to);
  });
  const rows = [...(await query().whereIn('erasure_id', [...named])), ...some];
  const known = new Map(rows.map((row) => [row.erasure_id, row]));
  const sizes = await sealedSizes(trx, site.id, 'erasure', [...known.keys()]);
  const fits = [...known].filter(([id]) => budget.take(sizes.get(id) ?? { statements: 0, bytes: 0 }));
  await judgeSome(
    about,
    fits.map(([, row]) => row),
    true,
  );
  const judged = new Set(fits.map(([id]) => id));
  return [...known.keys()].filter((id) => !judged.has(id));
};

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
