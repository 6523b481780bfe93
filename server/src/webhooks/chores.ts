import type { Knex } from 'knex';
import type { WebhookKey } from '../db/models';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { catchUp } from './catch-up';
import { deleteDeliveries } from './delete-deliveries';
import { PutOff } from './put-off';
import { redeliverFailed } from './redeliver-failed';
import { type Failures, type Round, SiteWalk } from './turns';

/** How long each kind goes on after a sweep, in milliseconds. */
const TIME = 500;

type Chore = (
  db: Knex,
  hasTime: () => boolean,
  failures: Failures,
  walk: SiteWalk,
) => Promise<Round<WebhookKey>>;

/** What is done in parts, by the words for its failure. */
const CHORES: readonly (readonly [string, Chore])[] = [
  ['what webhooks missed could not become deliveries', catchUp],
  ['redeliveries could not continue', redeliverFailed],
  ['deliveries of deleted webhooks could not be deleted', deleteDeliveries],
];

interface Surroundings {
  wake(webhooks: readonly WebhookKey[]): void;
  isStopped(): boolean;
}

/** Work on deliveries that is done in parts, one part at a time. */
export class Chores {
  private current: Promise<void> | undefined;
  /** Of each kind: what fails at one need not fail at another. */
  private readonly kinds = CHORES.map(([failure, chore]) => ({
    ...{ failure, chore, putOff: new PutOff(), walk: new SiteWalk() },
  }));

  constructor(
    private readonly options: { db: Knex; log: Logger },
    private readonly dispatcher: Surroundings,
  ) {}

  /** Starts unless it is at it already. */
  soon(): Promise<void> | undefined {
    if (this.current !== undefined) return undefined;
    this.current = this.doAll().finally(() => {
      this.current = undefined;
    });
    return this.current;
  }

  private async doAll(): Promise<void> {
    for (const { failure, chore, putOff, walk } of this.kinds) {
      const tell = (about: { error: unknown; environment_id?: string }, next: string): void =>
        logFailure(this.options.log, 'warn', about, `${failure}; the next attempt is in ${next}`);
      const failures: Failures = {
        isPutOff: (site) => putOff.has(site),
        fail: (error, environment_id) => {
          putOff.add(environment_id);
          tell({ error, environment_id }, 'ten seconds to a minute');
        },
      };
      await this.goOn((db, hasTime) => chore(db, hasTime, failures, walk)).catch((error) =>
        tell({ error }, 'a second'),
      );
    }
  }

  private async goOn(round: (db: Knex, hasTime: () => boolean) => Promise<Round<WebhookKey>>): Promise<void> {
    const end = performance.now() + TIME;
    const hasTime = (): boolean => !this.dispatcher.isStopped() && performance.now() < end;
    for (let more = true; more && hasTime(); ) {
      const { done, more: isMore } = await round(this.options.db, hasTime);
      this.dispatcher.wake(done);
      more = isMore;
    }
  }
}
