import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { NO_SITE } from '../db/audit-events';
import { endsAll } from '../db/errors';
import { byItself, placeOf, tenantsOf } from '../db/tenants';

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

/** Where work of many sites is read a bounded number of rows at a time, one site after the other. */
export class SiteWalk {
  private after = NO_SITE;
  /** Whether there was more in a round since it began with the first site. */
  private isMore = false;

  constructor(private readonly most = 2_000) {}

  /** Whether another round may find more, after one that says so or not: there are sites behind, or begins anew. */
  goesOn(more: boolean): boolean {
    if (this.after === NO_SITE) {
      const isMore = this.isMore || more;
      this.isMore = false;
      return isMore;
    }
    this.isMore ||= more;
    return true;
  }

  /**
   * The next rows; of the last site maybe not all, which come with its next turn.
   * @param read gets rows of the sites behind one, by their site and then by the time of their last part
   */
  async next<Row extends Waiting>(read: (after: string, most: number) => PromiseLike<Row[]>): Promise<Row[]> {
    const rows = await read(this.after, this.most);
    this.after = rows.length < this.most ? NO_SITE : (rows.at(-1)?.environment_id ?? NO_SITE);
    return rows.sort((a, b) => a.advanced_at.getTime() - b.advanced_at.getTime());
  }
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

/** Says of a part that another process has all of its site in its hands. */
export const SITE_TAKEN = 'site taken';

/**
 * Does one part for each group of accounts, as long as there is time, and one at least: groups take turns, then, in a group,
 * its founder, those that were invited and those whom these invited, then the accounts, their sites, and the work of a site.
 * Whose last part was done longest ago comes first. A part is undefined when another process does it: then the group has its
 * next one, of another site if all of this one is taken. One that fails keeps nobody else from their turn, and has its own
 * again when it is no longer put off.
 * @param waiting sorted by the time of the last part
 */
export async function doInTurns<Row extends Waiting, Done>(
  db: Knex,
  waiting: readonly Row[],
  hasTime: () => boolean,
  doPart: (row: Row) => Promise<Part<Done> | typeof SITE_TAKEN | undefined>,
  { fail, isPutOff }: Failures,
): Promise<Round<Done>> {
  const round: Round<Done> = { done: [], more: false };
  const placeOfRow = await placesOf(db, waiting);
  const accountOf = (row: Waiting) => placeOfRow(row)[0] as string;
  // Reading may have taken all the time that there was.
  let isFirst = true;
  for (let open = waiting.filter((row) => !isPutOff(row.environment_id)); open.length > 0; ) {
    const undone = new Set<Row>();
    const taken = new Set<string>();
    for (const row of nextOnes(open, placeOfRow)) {
      if (!isFirst && !hasTime()) return round;
      isFirst = false;
      try {
        const part = await doPart(row);
        if (part === undefined || part === SITE_TAKEN) {
          undone.add(row);
          if (part === SITE_TAKEN) taken.add(row.environment_id);
          continue;
        }
        round.done.push(...part.done);
        round.more ||= part.more;
      } catch (error) {
        // Without a database no part can be done.
        if (endsAll(error)) throw error;
        fail(error, row.environment_id);
        undone.add(row);
      }
    }
    // Whoever shares the turn of what was not done has it instead.
    const sharing = new Set([...undone].map(accountOf));
    open = open.filter(
      (row) => sharing.has(accountOf(row)) && !undone.has(row) && !taken.has(row.environment_id),
    );
  }
  return round;
}

/** How many names the place of a part of an account has, and how finely it is drawn which is next. */
const PARTS = 2;
const DRAWN = 2 ** 32;

async function placesOf(db: Knex, waiting: readonly Waiting[]): Promise<(of: Waiting) => readonly string[]> {
  const sites = new Set(waiting.map(({ environment_id }) => environment_id));
  const places = new Map((await tenantsOf(db, [...sites])).map((tenant) => [tenant.site, placeOf(tenant)]));
  return ({ environment_id: site }) => places.get(site) ?? placeOf(byItself(site));
}

/** Of those that share their turns: which is next, and when the last part of any was done. */
interface Turn<Row> {
  next: Row;
  latest: number;
}

/** What is next of each account, whose turn is longest ago first. */
function nextOnes<Row extends Waiting>(
  waiting: readonly Row[],
  placeOfRow: (of: Waiting) => readonly string[],
): Row[] {
  const first = waiting[0];
  let turns: Turn<Row>[] = waiting.map((row) => ({ next: row, latest: row.advanced_at.getTime() }));
  for (let level = first === undefined ? 0 : placeOfRow(first).length; level > 0; level -= 1) {
    turns = sharedTurns(turns, (row) => placeOfRow(row).slice(0, level).join(' ')).sort(
      (a, b) => a.latest - b.latest,
    );
    // Which part of an account is next is drawn: of what was done at once no row is left that tells whose turn it was.
    if (level === PARTS)
      turns = turns
        .map((turn) => ({ turn, drawn: randomInt(DRAWN) }))
        .sort((a, b) => a.drawn - b.drawn)
        .map(({ turn }) => turn);
  }
  return turns.map(({ next }) => next);
}

/** The turns, by who shares them; of each the first is next. */
function sharedTurns<Row>(turns: readonly Turn<Row>[], whose: (one: Row) => string): Turn<Row>[] {
  const shared = new Map<string, Turn<Row>>();
  for (const { next, latest } of turns) {
    const name = whose(next);
    const known = shared.get(name);
    shared.set(name, { next: known?.next ?? next, latest: Math.max(latest, known?.latest ?? latest) });
  }
  return [...shared.values()];
}
