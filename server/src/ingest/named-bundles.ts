import type { Knex } from 'knex';
import { raw } from 'objection';
import { BundleRow } from '../db/models';
import type { AskedVendor } from '../domain/types';
import { LookUps, type OfSite, ofSite } from './look-ups';
import type { Nodes } from './nodes';
import type { Site } from './site';

/** Bytes of bundles that a process keeps: forty thousand without vendors, some hundred with the most. */
const MEMORY = 8 * 2 ** 20;
const SIZE = 200;

type Question = OfSite & { hash: string };

/** What a bundle asked, as far as its site's row does not say it. */
export interface NamedBundle {
  /** The settings version that it was made of. */
  version: number;
  /** The vendors that it asks about one by one. */
  vendors: readonly AskedVendor[];
  size: number;
}

type Read = Pick<BundleRow, 'environment_id' | 'hash' | 'settings_version'> & { asked: AskedVendor[] | null };

const nameOf = (id: string, hash: string): string => `${id} ${hash}`;

/** Bundles that are not among the last ones of their sites, and those that ask by vendor. */
export class NamedBundles {
  private readonly lookUps: LookUps<Question, NamedBundle>;

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

  /** The bundle; undefined when the site never had it. Rejects with 503. */
  find(site: Site, hash: string): NamedBundle | Promise<NamedBundle | undefined> {
    const question = { ...ofSite(site), hash };
    return this.lookUps.known(question) ?? this.lookUps.ask(question);
  }

  /** The database may be another one. */
  forgetAll(): void {
    this.lookUps.forgetAll();
  }

  private async read(questions: Question[]): Promise<[string, NamedBundle][]> {
    const hashes = questions.map(({ site, hash }) => [site.id, hash]);
    const rows = await BundleRow.query(this.knex)
      // By itself, so that a cluster asks only where these sites are.
      .whereIn('environment_id', [...new Set(questions.map(({ site }) => site.id))])
      .whereInComposite(['environment_id', 'hash'], hashes)
      .select('environment_id', 'hash', 'settings_version')
      .select(raw("config->'asked_vendors'").as('asked'))
      .castTo<Read[]>();
    return rows.map(({ environment_id, hash, settings_version: version, asked }) => [
      nameOf(environment_id, hash),
      { version, vendors: asked ?? [], size: SIZE + 2 * JSON.stringify(asked ?? []).length },
    ]);
  }
}
