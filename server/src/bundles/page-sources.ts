import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { proofsOf } from '../db/domain-proofs';
import { EnvironmentRow, ScanRow, VendorListRow } from '../db/models';
import { clock } from '../domain/clock';
import { FairTurns } from '../domain/fair-turns';
import { Memory } from '../domain/memory';
import type { Settings } from '../domain/types';
import type { Site } from '../ingest/site';

/** The settings that public pages are made of. */
const SHOWN = [
  ...(['banner', 'categories', 'default_language', 'languages', 'time_zone'] as const),
  ...(['consent_lifetime_days', 'policy_version', 'privacy_policy_url', 'imprint_url'] as const),
  ...(['mail_requesters'] as const),
] as const satisfies readonly (keyof Settings)[];
export type PageSettings = Pick<Settings, (typeof SHOWN)[number]>;

/** What the public pages of a site are made of. */
export interface PageSource {
  id: string;
  maker: string;
  token: string;
  name: string;
  url: string;
  domains: readonly string[];
  settings: PageSettings;
  hasBanner: boolean;
  /** Its domains whose proof holds: their pages may show these pages in a frame. */
  proven: readonly string[];
  vendorVersion: number;
  scanId: string | undefined;
  createdAt: Date;
  /** Another one when anything above is another. */
  stamp: string;
}

/** Bytes of settings cached by a process. */
const MEMORY = 8 * 2 ** 20;
/** What may wait to be read: of one maker of sites, and in all. */
const LOOK_UPS = { each: 1_000, all: 2_000 };

/** Reads what public pages need; settings once for each version, because they may be large. */
export class PageSources {
  private readonly memory = new Memory<{ settings: PageSettings; size: number }>(MEMORY);
  /** One at a time, so that visitors' connections are left for visitors; makers of sites take turns, then sites. */
  private readonly lookUps = new FairTurns(1, LOOK_UPS);

  /** Reads that wait for their turn; whoever comes meanwhile shares them, and sees nothing older than its request. */
  private readonly waiting = new Map<string, Promise<PageSource>>();

  constructor(private readonly db: Knex) {}

  /** Throws 404 for a site that is gone meanwhile. */
  find(site: Pick<Site, 'id' | 'maker' | 'bundle'>): Promise<PageSource> {
    const { id, maker } = site;
    const shared = this.waiting.get(id);
    if (shared !== undefined) return shared;
    let waits = true;
    const end = (): void => {
      if (waits) this.waiting.delete(id);
      waits = false;
    };
    const found = this.lookUps.take([maker, id], () => {
      end();
      return this.read(site);
    });
    if (waits) this.waiting.set(id, found);
    found.catch(end);
    return found;
  }

  private async read({ id, maker, bundle }: Pick<Site, 'id' | 'maker' | 'bundle'>): Promise<PageSource> {
    const row = await EnvironmentRow.query(this.db)
      .findById(id)
      .select('id', 'token', 'name', 'url', 'domains', 'settings_version', 'created_at', 'updated_at')
      .throwIfNotFound();
    const settings = await this.settingsOf(row);
    const now = clock.date();
    const proofs = await proofsOf(this.db, row);
    const holding = proofs.filter(({ proven_until }) => proven_until !== null && proven_until > now);
    const list = await VendorListRow.query(this.db)
      .where({ environment_id: id })
      .max('version as version')
      .first();
    const scan = await ScanRow.query(this.db)
      .where({ environment_id: id, state: 'done' })
      .orderBy('finished_at', 'desc')
      .first()
      .select('scan_id');
    const found = {
      ...{ id, maker, token: row.token, name: row.name, url: row.url, domains: row.domains },
      hasBanner: bundle !== undefined,
      proven: holding.map(({ domain }) => domain).sort(),
      vendorVersion: list?.version ?? 0,
      scanId: scan?.scan_id,
      createdAt: row.created_at,
    };
    return { ...found, settings, stamp: stampOf([found, row.settings_version, row.updated_at]) };
  }

  private async settingsOf({
    id,
    settings_version,
  }: Pick<EnvironmentRow, 'id' | 'settings_version'>): Promise<PageSettings> {
    const key = `${id} ${settings_version}`;
    const known = this.memory.get(key);
    if (known !== undefined) return known.settings;
    const row = await EnvironmentRow.query(this.db).findById(id).select('settings').throwIfNotFound();
    const settings = shownOf(row.settings);
    this.memory.set(key, { settings, size: 2 * JSON.stringify(settings).length });
    return settings;
  }
}

const stampOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url');

/** Of all settings, those that public pages show. */
export const shownOf = (settings: Settings): PageSettings =>
  Object.fromEntries(SHOWN.map((name) => [name, settings[name]])) as unknown as PageSettings;
