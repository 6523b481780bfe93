import type { Knex } from 'knex';
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

/** What one part has done, and whether another may follow at once. */
export interface Part<Done> {
  done: Done[];
  more: boolean;
}

/**
 * Does one part for each group of accounts, as long as there is time: groups take turns, then the sites of a group,
 * then the work of a site. Whose last part was done longest ago comes first. A part is undefined when another process
 * does it.
 * @param waiting sorted by the time of the last part
 */
export async function doInTurns<Row extends Waiting, Done>(
  db: Knex,
  waiting: readonly Row[],
  hasTime: () => boolean,
  doPart: (row: Row) => Promise<Part<Done> | undefined>,
): Promise<Round<Done>> {
  const round: Round<Done> = { done: [], more: false };
  for (const row of await nextOnes(db, waiting)) {
    if (!hasTime()) break;
    const part = await doPart(row);
    round.done.push(...(part?.done ?? []));
    round.more ||= part?.more ?? false;
  }
  return round;
}

async function nextOnes<Row extends Waiting>(db: Knex, waiting: readonly Row[]): Promise<Row[]> {
  const sites = turnsOf(waiting, ({ environment_id }) => environment_id);
  const tenants = await tenantsOf(db, [...sites.keys()]);
  const accounts = new Map(tenants.map(({ site, account }) => [site, account]));
  const accountOf = ({ environment_id: site }: Waiting): string => accounts.get(site) ?? site;
  return [...turnsOf(inTurn(sites), accountOf).values()].sort(byLatest).map(({ next }) => next);
}

/** Of those that share their turns: which is next, and when the last part of any was done. */
interface Turn<Row> {
  next: Row;
  latest: number;
}

const byLatest = (a: Turn<unknown>, b: Turn<unknown>): number => a.latest - b.latest;

/** What is next of each site, whose turn is longest ago first, with the time of that turn. */
const inTurn = <Row extends Waiting>(sites: ReadonlyMap<string, Turn<Row>>): Row[] =>
  [...sites.values()].sort(byLatest).map(({ next, latest }) => ({ ...next, advanced_at: new Date(latest) }));

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
