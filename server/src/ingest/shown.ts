import type { Knex } from 'knex';
import { raw } from 'objection';
import { SettingsVersionRow } from '../db/models';
import { wholeSettings } from '../db/settings-versions';
import { ValidationError } from '../domain/errors';
import {
  type Asked,
  type Naming,
  namedVersion,
  type ShownSettings,
  shownSettings,
  unknownBundle,
} from './asked';
import { LookUps, type OfSite, ofSite } from './look-ups';
import { type NamedBundle, NamedBundles } from './named-bundles';
import type { Nodes } from './nodes';
import type { Site } from './site';

/** Bytes of versions that a process keeps beside those of its sites: some ten thousand. */
const MEMORY = 8 * 2 ** 20;

type Question = OfSite & { version: number };

/** What sites showed in the past, by their settings versions. */
export class ShownVersions {
  private readonly lookUps: LookUps<Question, ShownSettings>;
  private readonly bundles: NamedBundles;

  constructor(
    private readonly knex: Knex,
    nodes: Nodes,
  ) {
    this.bundles = new NamedBundles(knex, nodes);
    this.lookUps = new LookUps(nodes, {
      memory: MEMORY,
      nameOf: ({ site, version }) => nameOf(site.id, version),
      read: (questions) => this.read(questions),
    });
  }

  /** What the decision's visitor was asked; undefined when it names a version that does not exist. */
  askedBy(site: Site, naming: Naming): Asked | undefined | Promise<Asked | undefined> {
    const hash = unknownBundle(site, naming);
    if (hash === undefined)
      return this.askedIn(
        site,
        namedVersion(site, naming),
        naming.bundle_hash === undefined ? undefined : [],
      );
    const found = this.bundles.find(site, hash);
    return found instanceof Promise
      ? found.then((bundle) => this.askedByBundle(site, naming, bundle))
      : this.askedByBundle(site, naming, found);
  }

  /** A bundle that the site never had says nothing, and the version that is stated with it proves nothing. */
  private async askedByBundle(
    site: Site,
    { banner_version }: Naming,
    bundle: NamedBundle | undefined,
  ): Promise<Asked | undefined> {
    if (bundle !== undefined) return this.askedIn(site, bundle.version, bundle.vendors);
    const asked = await this.askedIn(site, banner_version);
    return asked && { ...asked, isNamed: false };
  }

  private askedIn(
    site: Site,
    version: number | undefined,
    vendors?: Asked['vendors'],
  ): Asked | undefined | Promise<Asked | undefined> {
    if (version === undefined) return { shown: site.shown, isNamed: false };
    if (version === site.shown.version) return { shown: site.shown, isNamed: true, vendors };
    const question = { ...ofSite(site), version };
    const shown = this.lookUps.known(question);
    if (shown !== undefined) return { shown, isNamed: true, vendors };
    return this.lookUps.ask(question).then((found) => found && { shown: found, isNamed: true, vendors });
  }

  /** What a site shows at present is known when it shows something else. */
  keep(site: Site): void {
    const { shown } = site;
    this.lookUps.keep({ ...ofSite(site), version: shown.version }, shown);
  }

  /** The database may be another one. */
  forgetAll(): void {
    this.lookUps.forgetAll();
    this.bundles.forgetAll();
  }

  private async read(questions: Question[]): Promise<[string, ShownSettings][]> {
    const rows = await SettingsVersionRow.query(this.knex)
      // By itself, so that a cluster asks only where these sites are.
      .whereIn('environment_id', [...new Set(questions.map(({ site }) => site.id))])
      .whereInComposite(
        ['environment_id', 'version'],
        questions.map(({ site, version }) => [site.id, version]),
      )
      .select('environment_id', 'version')
      .select(
        raw(
          "jsonb_build_object('policy_version', settings->'policy_version', 'categories', settings->'categories')",
        ).as('settings'),
      );
    const found: [string, ShownSettings][] = [];
    // One after the other: their parts take one connection.
    for (const { environment_id, version, settings } of rows) {
      const whole = await wholeSettings(this.knex, environment_id, settings);
      found.push([nameOf(environment_id, version), shownSettings(version, whole)]);
    }
    return found;
  }
}

const nameOf = (id: string, version: number): string => `${id} ${version}`;

/** What the decision's visitor was asked. Throws `ValidationError` for a version that does not exist. */
export async function askedBy(versions: ShownVersions, site: Site, naming: Naming): Promise<Asked> {
  const asked = await versions.askedBy(site, naming);
  if (asked !== undefined) return asked;
  throw ValidationError.of(
    'body.banner_version',
    `does not exist: the present settings version is ${site.settingsVersion}`,
    'unknown_version',
  );
}

/**
 * The same for the banner, which forgets what is refused: a version that does not exist counts as not named, as after a
 * restore.
 */
export async function askedByBanner(versions: ShownVersions, site: Site, naming: Naming): Promise<Asked> {
  return (await versions.askedBy(site, naming)) ?? { shown: site.shown, isNamed: false };
}
