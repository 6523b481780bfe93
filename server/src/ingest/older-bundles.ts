import type { Knex } from 'knex';
import { BundleRow } from '../db/models';
import { LookUps, type OfSite, ofSite } from './look-ups';
import type { Nodes } from './nodes';
import type { Site } from './site';

/** Bytes of versions that a process keeps: those of some five thousand bundles. */
const MEMORY = 2 ** 20;
const SIZE = 200;

type Question = OfSite & { hash: string };
type Version = { version: number; size: number };

const nameOf = (id: string, hash: string): string => `${id} ${hash}`;

/** The settings versions of bundles that are not among the last ones of their sites. */
export class OlderBundles {
  private readonly lookUps: LookUps<Question, Version>;

  constructor(
    private readonly knex: Knex,
    nodes: Nodes,
  ) {
    this.lookUps = new LookUps(nodes, {
      memory: MEMORY,
      nameOf: ({ site, hash }) => nameOf(site.id, hash),
      read: (questions) => this.read(questions),
    });
  }

  /** The version that a bundle was made of; undefined when the site never had it. Rejects with 503. */
  versionOf(site: Site, hash: string): number | Promise<number | undefined> {
    const question = { ...ofSite(site), hash };
    return (
      this.lookUps.known(question)?.version ?? this.lookUps.ask(question).then((found) => found?.version)
    );
  }

  /** The database may be another one. */
  forgetAll(): void {
    this.lookUps.forgetAll();
  }

  private async read(questions: Question[]): Promise<[string, Version][]> {
    const hashes = questions.map(({ site, hash }) => [site.id, hash]);
    const rows = await BundleRow.query(this.knex)
      // By itself, so that a cluster asks only where these sites are.
      .whereIn('environment_id', [...new Set(questions.map(({ site }) => site.id))])
      .whereInComposite(['environment_id', 'hash'], hashes)
      .select('environment_id', 'hash', 'settings_version');
    return rows.map(({ environment_id, hash, settings_version: version }) => [
      nameOf(environment_id, hash),
      { version, size: SIZE },
    ]);
  }
}
