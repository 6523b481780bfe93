import { decideCategories } from '../domain/consent';
import { deviceClass } from '../domain/device';
import { newId, timeOfId } from '../domain/ids';
import { stripPageUrl } from '../domain/page-url';
import type { CategoryChoices, ConsentMethod, ConsentRecord, Decision } from '../domain/types';
import { ValidationError } from '../errors';
import type { Count, DecisionRow, Dedupe, Entry } from '../ingest/entries';
import type { Site } from '../ingest/site';
import type { Client } from './handler';

/** A day, in milliseconds. */
const DAY = 86_400_000;

/** A decision as a visitor's request states it. */
export interface StatedDecision {
  session_id: string;
  decision: Decision;
  categories?: CategoryChoices;
  language?: string;
  page_url?: string;
  banner_version?: number;
  bundle_hash?: string;
  method?: ConsentMethod;
  tc_string?: string;
  gpp_string?: string;
}

/** Makes the row and the counts of a decision. Throws `ValidationError` for what only the site's settings can tell. */
export function toEntry(
  site: Site,
  client: Client,
  stated: StatedDecision,
  dedupe?: Dedupe,
): Entry & { decision: DecisionRow } {
  const { settings, settingsVersion } = site;
  const categories = decideCategories(stated.decision, stated.categories, site.categories);
  const banner_version = bannerVersion(stated.banner_version, settingsVersion);
  const consent_id = newId();
  const recorded = timeOfId(consent_id);
  const language = stated.language ?? settings.default_language;
  const decision: DecisionRow = {
    environment_id: site.id,
    consent_id,
    recorded_at: recorded.toISOString(),
    session_id: stated.session_id.toLowerCase(),
    decision: stated.decision,
    categories,
    policy_version: settings.policy_version,
    banner_version,
    bundle_hash: stated.bundle_hash ?? null,
    method: stated.method ?? 'banner',
    language,
    page_url: stated.page_url === undefined ? null : stripPageUrl(stated.page_url),
    ip_masked: client.ipMasked,
    user_agent: client.userAgent,
    gpc: client.gpc,
    tc_string: stated.tc_string ?? null,
    gpp_string: stated.gpp_string ?? null,
    expires_at: new Date(recorded.getTime() + settings.consent_lifetime_days * DAY).toISOString(),
  };
  const device = deviceClass(client.userAgent ?? undefined);
  const counts = countDecision(site, decision, recorded.getTime(), countedLanguage(site, language), device);
  return { site, decision, counts, ...(dedupe === undefined ? {} : { dedupe }) };
}

/** Lists of counts kept for a site, at most. */
const MAX_LISTS = 1_000;
/** A quarter of an hour, in milliseconds: hours of all time zones begin at quarters, so that counts need no finer time. */
const QUARTER = 900_000;

/** Lists that decisions of the same kind share within a quarter: made once, and added up by their number (see `tally`). */
const lists = new WeakMap<Site, { at: number; byKind: Map<string, Count[]> }>();

function countDecision(
  site: Site,
  { decision, categories, banner_version }: DecisionRow,
  time: number,
  language: string,
  device: string,
): Count[] {
  const at = time - (time % QUARTER);
  let kept = lists.get(site);
  if (kept?.at !== at) {
    kept = { at, byKind: new Map() };
    lists.set(site, kept);
  }
  let kind = `${decision} ${banner_version} ${language} ${device} `;
  for (const key in categories) kind += categories[key] ? '+' : '-';
  let list = kept.byKind.get(kind);
  if (list === undefined) {
    const count = (metric: Count['metric'], key: string) => ({
      at,
      metric,
      key,
      language,
      banner_version,
      device,
    });
    list = [count('decision', decision)];
    for (const key in categories) list.push(count(categories[key] ? 'granted' : 'refused', key));
    if (kept.byKind.size < MAX_LISTS) kept.byKind.set(kind, list);
  }
  return list;
}

/** Counts are kept for the site's own languages; others together, since anybody may send any tag. */
export const countedLanguage = ({ languages, settings }: Site, language: string | undefined): string =>
  language === undefined ? settings.default_language : languages.has(language) ? language : 'other';

function bannerVersion(stated: number | undefined, present: number): number {
  if (stated === undefined) return present;
  if (stated > present) {
    throw ValidationError.of(
      'body.banner_version',
      `does not exist: the present settings version is ${present}`,
      'unknown_version',
    );
  }
  return stated;
}

/** The record as the API shows it, from a row that is about to be, or was, stored. */
export function toRecord(row: DecisionRow): ConsentRecord {
  const { environment_id: _, tc_string, gpp_string, ...record } = row;
  return {
    ...record,
    ...(tc_string === null ? {} : { tc_string }),
    ...(gpp_string === null ? {} : { gpp_string }),
  };
}
