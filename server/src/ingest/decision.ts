import { stripPageUrl } from '../domain/addresses';
import { deviceClass } from '../domain/analytics';
import { clock } from '../domain/clock';
import { decideCategories, withoutNulls } from '../domain/consent';
import { endingOf } from '../domain/decision-keys';
import { newId, timeOfId } from '../domain/ids';
import { type Sealed, seal } from '../domain/ledger/commitment';
import { statementOfKind } from '../domain/ledger/consent-statement';
import { DAY_MS } from '../domain/time';
import type {
  CategoryChoices,
  ConsentRecord,
  Decision,
  RecordedBy,
  RegionRule,
  StatedMethod,
  VendorChoices,
} from '../domain/types';
import { decideVendors } from '../domain/vendor-choices';
import { outboxFor } from '../events/outbox';
import { consentEvent } from '../events/payloads';
import { subscribes } from '../events/subscribers';
import { type Asked, namedVersion } from './asked';
import type { Count, DecisionRow, Dedupe, Entry } from './entries';
import { kindOf } from './kinds';
import type { Site } from './site';
import { refuseWrongTcString } from './tc-string';

/** What a decision records of the client. */
export interface Client {
  ipMasked: string;
  userAgent: string | null;
  /** Global Privacy Control: the request carried `Sec-GPC: 1`. */
  gpc: boolean;
  /** Whether the request was a page's, or that of the site's own program. */
  recordedBy: RecordedBy;
}

/** A decision as a visitor's request states it. */
export interface StatedDecision {
  session_id: string;
  decision: Decision;
  categories?: CategoryChoices;
  vendors?: VendorChoices;
  language?: string;
  page_url?: string;
  banner_version?: number;
  bundle_hash?: string;
  method?: StatedMethod;
  tc_string?: string;
  gpp_string?: string;
  region?: string;
  rule?: RegionRule;
  /** Whether it counts in an A/B test. */
  ends_impression?: boolean;
  /** Of one that was brought along: the record of the decision, and until when that holds. */
  linked?: { from: string; expires_at: string };
}

/**
 * Makes the row and the counts of a decision, by the settings that its visitor was asked with: consent is to what was
 * shown. Throws `ValidationError` for what conflicts with them.
 */
export function toEntry(
  site: Site,
  client: Client,
  stated: StatedDecision,
  { shown, isNamed, vendors: asked }: Asked,
  dedupe?: Dedupe,
): Entry & { decision: DecisionRow; sealed: Sealed } {
  refuseWrongTcString(site, stated);
  const { settings } = site;
  const categories = decideCategories(stated.decision, stated.categories, shown.categories);
  const vendors = decideVendors(stated, categories, { asked, isOn: site.choosesByVendor });
  const consent_id = newId(dedupe?.ofSession ? endingOf(dedupe.key, dedupe.bodyHash) : undefined);
  const recorded = timeOfId(consent_id);
  const language = stated.language ?? settings.default_language;
  const ends = new Date(recorded.getTime() + settings.consent_lifetime_days * DAY_MS);
  const decision: DecisionRow = {
    environment_id: site.id,
    consent_id,
    recorded_at: recorded.toISOString(),
    session_id: stated.session_id.toLowerCase(),
    decision: stated.decision,
    categories,
    policy_version: shown.policy_version,
    banner_version: shown.version,
    bundle_hash: stated.bundle_hash ?? null,
    method: stated.linked === undefined ? (stated.method ?? 'banner') : 'link',
    recorded_by: client.recordedBy,
    language,
    page_url: stated.page_url === undefined ? null : stripPageUrl(stated.page_url),
    ip_masked: client.ipMasked,
    user_agent: client.userAgent,
    gpc: client.gpc,
    tc_string: stated.tc_string ?? null,
    gpp_string: stated.gpp_string ?? null,
    region: stated.region ?? null,
    rule: stated.rule ?? null,
    vendors,
    linked_from: stated.linked?.from ?? null,
    expires_at: stated.linked?.expires_at ?? ends.toISOString(),
  };
  const device = deviceClass(client.userAgent ?? undefined);
  const test = stated.ends_impression === true ? testedBy(site, stated) : undefined;
  const counted = { ...decision, isNamed, device, test, language: countedLanguage(site, language) };
  const counts = countDecision(site, counted, recorded.getTime());
  const { text: kind, statement } = kindOf(site, decision);
  const sealed = seal(statementOfKind(statement, decision));
  const entry = { site, decision, kind, sealed, counts, ...(dedupe === undefined ? {} : { dedupe }) };
  const outbox = outboxOf(site, decision);
  return outbox === undefined ? entry : { ...entry, outbox };
}

/** How old the event of a decision may be when it is stored, in milliseconds: readers of events count on a second. */
const MAX_EVENT_AGE = 500;

/** Dates the event of a decision that had to wait anew, so that nobody has read past its time. */
export function redateEvent(entry: Entry): void {
  const { site, decision, outbox } = entry;
  if (decision === undefined || outbox === undefined) return;
  if (clock.now() - Date.parse(outbox.event.occurred_at) > MAX_EVENT_AGE)
    Object.assign(entry, { outbox: outboxOf(site, decision) });
}

/** The event of a decision, compiled only where somebody subscribes to it. */
function outboxOf(site: Site, decision: DecisionRow): Entry['outbox'] {
  if (!site.webhooks.some((webhook) => subscribes(webhook, `consent.${decision.decision}`))) return undefined;
  return outboxFor(consentEvent(site, decision), site.webhooks);
}

/** The maximum number of counts cached by a process, over all sites: some ten MiB. */
const MAX_COUNTS = 50_000;
/**
 * A quarter of an hour, in milliseconds: hours of all time zones begin at quarters, so that counts need no
 * finer time.
 */
const QUARTER = 900_000;

/**
 * Decisions of the same kind share one list of counts per quarter of an hour; `tally` adds up how many there
 * are. When there are too many kinds, which anyone can cause, the cache is emptied.
 */
const lists = { at: 0, counts: 0, bySite: new WeakMap<Site, Map<string, Count[]>>() };

function keptOf(site: Site, at: number): Map<string, Count[]> {
  if (lists.at !== at || lists.counts > MAX_COUNTS)
    Object.assign(lists, { at, counts: 0, bySite: new WeakMap() });
  let byKind = lists.bySite.get(site);
  if (byKind === undefined) {
    byKind = new Map();
    lists.bySite.set(site, byKind);
  }
  return byKind;
}

type Counted = Pick<DecisionRow, 'decision' | 'categories' | 'banner_version' | 'language'> &
  Pick<Asked, 'isNamed'> & { device: string; test: string | undefined };

function countDecision(
  site: Site,
  { decision, categories, banner_version, isNamed, language, device, test }: Counted,
  time: number,
): Count[] {
  const at = time - (time % QUARTER);
  const byKind = keptOf(site, at);
  let kind = `${decision} ${banner_version} ${isNamed} ${language} ${device} ${test} `;
  for (const key in categories) kind += categories[key] ? '+' : '-';
  let list = byKind.get(kind);
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
    if (Object.values(categories).includes(true)) list.push(count('opted_in', ''));
    if (!isNamed) list.push(count('untied', ''));
    for (const key in categories) list.push(count(categories[key] ? 'granted' : 'refused', key));
    if (test !== undefined) list.push(testCount(test, decision, { at, device }));
    byKind.set(kind, list);
    lists.counts += list.length;
  }
  return list;
}

/**
 * Each of the site's languages is counted; all others are counted together, because a visitor may send any
 * tag.
 */
export const countedLanguage = ({ languages, settings }: Site, language: string | undefined): string =>
  language === undefined ? settings.default_language : languages.has(language) ? language : 'other';

/** The version of the running A/B test that a bundle shows: one that the site never had counts in none. */
const testedBy = ({ bundleTests }: Site, { bundle_hash }: Pick<StatedDecision, 'bundle_hash'>) =>
  bundle_hash === undefined ? undefined : bundleTests.get(bundle_hash);

/** A row for each version, kind and device at most: language and settings version are as nothing here. */
const testCount = (
  test: string,
  what: Decision | 'impression',
  { at, device }: Pick<Count, 'at' | 'device'>,
): Count => ({ at, metric: 'test', key: `${test}:${what}`, language: '', banner_version: 0, device });

/** An impression's counts: that of the A/B test besides, where its bundle shows one and the visitor was asked by it. */
export function countImpression(
  site: Site,
  stated: Pick<StatedDecision, 'bundle_hash'> & { in_test?: boolean },
  count: Count,
): Count[] {
  const test = stated.in_test === true ? testedBy(site, stated) : undefined;
  return test === undefined ? [count] : [count, testCount(test, 'impression', count)];
}

/** The version under which an impression counts: that of the bundle which was shown, else the present one. */
export const countedVersion = (site: Site, { bundle_hash }: Pick<StatedDecision, 'bundle_hash'>): number =>
  namedVersion(site, bundle_hash === undefined ? {} : { bundle_hash }) ?? site.settingsVersion;

/** The record as the API shows it, from a row that is about to be, or was, stored. */
export function toRecord(row: DecisionRow): ConsentRecord {
  const { environment_id: _, ...record } = row;
  return withoutNulls(record);
}
