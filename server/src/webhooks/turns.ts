import type { Knex } from 'knex';
import { endsAll } from '../db/errors';
import { tenantsOf } from '../db/tenants';

/** Work of a site that is done in parts. */
interface Waiting {
  environment_id: string;
  /** When its last part was done. */
  advanced_at: Date;
}

/** What a round of parts has done. */
export interface Round<Done> {
  done: Done[];
  /** Whether something was advanced, so that another round may find more. */
  more: boolean;
}

/** What becomes of parts that fail. */
export interface Failures {
  /** Is told of each. */
  fail(error: unknown, environment_id: string): void;
  /** Whether a site waits, after a failure, for its next turn. */
  isPutOff(environment_id: string): boolean;
}

/** The first one ends the round. */
export const ENDING: Failures = {
  fail: (error) => {
    throw error;
  },
  isPutOff: () => false,
};

/** What one part has done, and whether another may follow at once. */
export interface Part<Done> {
  done: Done[];
  more: boolean;
}

/**
 * Does one part for each group of accounts, as long as there is time: groups take turns, then the sites of a group,
 * then the work of a site. Whose last part was done longest ago comes first. A part is undefined when another process
 * does it. One that fails keeps nobody else from their turn, and has its own again when it is no longer put off.
 * @param waiting sorted by the time of the last part
 */
export async function doInTurns<Row extends Waiting, Done>(
  db: Knex,
  waiting: readonly Row[],
  hasTime: () => boolean,
  doPart: (row: Row) => Promise<Part<Done> | undefined>,
  { fail, isPutOff }: Failures,
): Promise<Round<Done>> {
  const round: Round<Done> = { done: [], more: false };
  const accountOf = await accountsOf(db, waiting);
  for (let open = waiting.filter((row) => !isPutOff(row.environment_id)); open.length > 0; ) {
    const failed = new Set<Row>();
    for (const row of nextOnes(open, accountOf)) {
      if (!hasTime()) return round;
      try {
        const part = await doPart(row);
        round.done.push(...(part?.done ?? []));
        round.more ||= part?.more ?? false;
      } catch (error) {
        // Without a database no part can be done.
        if (endsAll(error)) throw error;
        fail(error, row.environment_id);
        failed.add(row);
      }
    }
    // Whoever shares the turn of what failed has it instead.
    const sharing = new Set([...failed].map(accountOf));
    open = open.filter((row) => sharing.has(accountOf(row)) && !failed.has(row));
  }
  return round;
}

async function accountsOf(db: Knex, waiting: readonly Waiting[]): Promise<(of: Waiting) => string> {
  const sites = new Set(waiting.map(({ environment_id }) => environment_id));
  const accounts = new Map((await tenantsOf(db, [...sites])).map(({ site, account }) => [site, account]));
  return ({ environment_id: site }) => accounts.get(site) ?? site;
}

function nextOnes<Row extends Waiting>(waiting: readonly Row[], accountOf: (of: Waiting) => string): Row[] {
  const sites = turnsOf(waiting, ({ environment_id }) => environment_id);
  return [...turnsOf(inTurn(sites), accountOf).values()].sort(byLatest).map(({ next }) => next.row);
}

/** Of those that share their turns: which is next, and when the last part of any was done. */
interface Turn<Row> {
  next: Row;
  latest: number;
}

const byLatest = (a: Turn<unknown>, b: Turn<unknown>): number => a.latest - b.latest;

/** What is next of each site, whose turn is longest ago first, with the time of that turn. */
const inTurn = <Row extends Waiting>(sites: ReadonlyMap<string, Turn<Row>>): (Waiting & { row: Row })[] =>
  [...sites.values()].sort(byLatest).map(({ next: row, latest }) => ({
    ...{ environment_id: row.environment_id, advanced_at: new Date(latest), row },
  }));

/** The turns of what is sorted by the time of its last part, by who shares them. */
function turnsOf<Row extends Waiting>(
  waiting: readonly Row[],
  whose: (one: Row) => string,
): Map<string, Turn<Row>> {
  const turns = new Map<string, Turn<Row>>();
  for (const one of waiting) {
    const name = whose(one);
    turns.set(name, { next: turns.get(name)?.next ?? one, latest: one.advanced_at.getTime() });
  }
  return turns;
}
