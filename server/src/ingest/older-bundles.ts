import type { Knex } from 'knex';
import { BundleRow } from '../db/models';
import { Memory } from '../domain/memory';
import { GroupQueue } from './group-queue';
import type { Nodes } from './nodes';
import type { Site } from './site';

/** Questions of visitors that one query answers, and that may wait for the next one. */
export const LOOK_UP = { maxGroup: 50, maxWaiting: 5_000, maxAge: 3_500 };
/** Bytes of versions that a process keeps: those of some five thousand bundles. */
const MEMORY = 2 ** 20;
const SIZE = 200;

export interface OfSite {
  site: Pick<Site, 'id'>;
  place?: number;
}
interface Question extends OfSite {
  hash: string;
}

export const questionOf = ({ id, place }: Site): OfSite => ({
  site: { id },
  ...(place === undefined ? {} : { place }),
});

const nameOf = ({ id }: Pick<Site, 'id'>, hash: string): string => `${id} ${hash}`;

/** The settings versions of bundles that are not among the last ones of their sites. */
export class OlderBundles {
  /** One that does not exist is not kept: it may come. */
  private readonly known = new Memory<{ version: number; size: number }>(MEMORY);
  /** How often everything was forgotten. */
  private forgotten = 0;
  /** In groups, one after the other: a flood of invented hashes takes one connection. */
  private readonly lookUps = new GroupQueue({
    work: (questions: Question[]) => this.read(questions),
    ...LOOK_UP,
  });

  constructor(
    private readonly knex: Knex,
    private readonly nodes: Nodes,
  ) {}

  /** The version that a bundle was made of; undefined when the site never had it. Rejects with 503. */
  versionOf(site: Site, hash: string): number | Promise<number | undefined> {
    return this.known.get(nameOf(site, hash))?.version ?? this.lookUps.add({ ...questionOf(site), hash });
  }

  /** The database may be another one. */
  forgetAll(): void {
    this.forgotten += 1;
    this.known.clear();
  }

  /** A node that does not answer concerns its own sites only. */
  private async read(questions: Question[]): Promise<(number | Error | undefined)[]> {
    const { forgotten } = this;
    const found = new Map<string, number | Error>();
    await Promise.all(
      this.nodes.parted(questions).map(async (part) => {
        try {
          for (const { environment_id: id, hash, settings_version: version } of await this.readPart(part)) {
            found.set(nameOf({ id }, hash), version);
            if (this.forgotten === forgotten) this.known.set(nameOf({ id }, hash), { version, size: SIZE });
          }
        } catch (error) {
          for (const { site, hash } of part) found.set(nameOf(site, hash), error as Error);
        }
      }),
    );
    return questions.map(({ site, hash }) => found.get(nameOf(site, hash)));
  }

  private readPart(questions: Question[]): PromiseLike<BundleRow[]> {
    const hashes = questions.map(({ site, hash }) => [site.id, hash]);
    return (
      BundleRow.query(this.knex)
        // By itself, so that a cluster asks only where these sites are.
        .whereIn('environment_id', [...new Set(questions.map(({ site }) => site.id))])
        .whereInComposite(['environment_id', 'hash'], hashes)
        .select('environment_id', 'hash', 'settings_version')
    );
  }
}
