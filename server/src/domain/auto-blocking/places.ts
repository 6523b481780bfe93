import { type Class, classifyHost, KNOWN, UNCLASSIFIED } from '../cookies/classification';
import { belongsTo, suffixesOf } from '../cookies/party';
import type {
  AskedVendor,
  AutoBlockingPlace,
  AutoBlockingSettings,
  Category,
  GoogleConsentType,
  Vendor,
} from '../types';
import { hostOf, isHost } from './settings';

/** Characters of all places that a page's rules may have. */
const ROOM = 16_000;
/** The contract's limit. */
const MOST = 3_000;

/** Networks that deliver libraries: without them most pages that use one do not work at all. */
const LIBRARIES = new Set([
  ...['cdn.jsdelivr.net', 'unpkg.com', 'code.jquery.com', 'ajax.googleapis.com', 'cdnjs.cloudflare.com'],
  ...['use.fontawesome.com', 'kit.fontawesome.com', 'ka-f.fontawesome.com'],
]);

/** What places are judged by. */
export interface PlaceSources {
  settings: AutoBlockingSettings;
  categories: readonly Category[];
  vendors: readonly Pick<Vendor, 'id' | 'name' | 'cookies'>[];
  /** Where visitors choose by vendor. */
  asked?: readonly AskedVendor[] | undefined;
  /** Hosts that the newest scans of the site's pages saw contacted. */
  contacted: readonly string[];
  /** Those from which they saw the page's banner hold something. */
  held: readonly string[];
  domains: readonly string[];
  /** This server's host. */
  server: string;
}

/** A place with the number of the vendor that it waits for. */
export type Judged = AutoBlockingPlace & { asked?: number };

type Verdict = Pick<Judged, 'category' | 'source' | 'reason' | 'vendor' | 'asked'>;

/** What is held, what is not, and why: the owner's rules first, then what scans found, vendors and known trackers. */
export function placesOf(sources: PlaceSources): Judged[] {
  const { settings, contacted, held, vendors } = sources;
  const verdictOf = judging(sources);
  const own = new Map(settings.rules.map((rule) => [rule.place, rule]));
  const saw = new Set(contacted);
  const kept = new Set(held);
  const places = new Map<string, Judged>();
  const add = (place: string, verdict: Verdict): void => {
    if (places.has(place) || places.size >= MOST) return;
    const isOf = (host: string): boolean => suffixesOf(host).includes(hostOf(place));
    places.set(place, {
      place,
      ...verdict,
      contacted: saw.has(place) || (own.has(place) && [...saw].some(isOf)),
      held: kept.has(place) || (own.has(place) && [...kept].some(isOf)),
    });
  };
  for (const { place, category } of settings.rules) add(place, verdictOf.own(place, category));
  const isRuled = (host: string): boolean => suffixesOf(host).some((one) => own.has(one));
  const found = [...new Set([...contacted, ...held])].sort();
  for (const host of found) if (PLACE.test(host) && !isRuled(host)) add(host, verdictOf.host(host, 'scan'));
  for (const { cookies } of vendors)
    for (const { domain } of cookies) {
      const host = (domain ?? '').toLowerCase().replace(/^\./, '');
      if (PLACE.test(host) && !isRuled(host)) add(host, verdictOf.host(host, 'vendor_list'));
    }
  for (const { hosts } of KNOWN)
    for (const [host, category] of Object.entries(hosts))
      if (TRACKERS.has(category) && !isRuled(host)) add(host, verdictOf.host(host, 'known'));
  return inRoom([...places.values()]);
}

/** Known hosts of other classes wait only where a scan has found them. */
const TRACKERS = new Set(['analytics', 'marketing']);
/** Hosts as rules have them; addresses of IPv6 and the like are let pass. */
const PLACE = /^[a-z0-9.-]{1,200}$/;

/** What stands for a class of known hosts where no category has its name. */
const GRANTS: Record<string, GoogleConsentType> = {
  analytics: 'analytics_storage',
  marketing: 'ad_storage',
  functional: 'functionality_storage',
};

function judging({ settings, categories, vendors, asked = [], domains, server }: PlaceSources) {
  const optional = categories.filter(({ required }) => !required);
  const isOwnDomain = belongsTo(domains);
  const isOwn = (host: string): boolean => host === server || isOwnDomain(host);
  const listed = new Map<string, Class & { id: number }>();
  for (const { id, name, cookies } of vendors)
    for (const { domain, category } of cookies) {
      const host = (domain ?? '').toLowerCase().replace(/^\./, '');
      if (host !== '' && !listed.has(host)) listed.set(host, { category, vendor: name, id });
    }
  const keyOf = (found: string): string | undefined =>
    optional.find(({ key }) => key === found)?.key ??
    (categories.some(({ key }) => key === found)
      ? undefined
      : optional.find(({ google_consent = [] }) => google_consent.includes(GRANTS[found] as never))?.key);
  const vendorOf = (is: (vendor: AskedVendor) => boolean, category: string): { asked?: number } => {
    const vendor = asked.find((one) => is(one) && one.categories.includes(category));
    return vendor === undefined ? {} : { asked: vendor.id };
  };
  const own = (place: string, category: string | null): Verdict => {
    const host = hostOf(place);
    if (isOwn(host)) return { category: null, source: 'own_rule', reason: 'first_party' };
    if (category === null) return { category, source: 'own_rule', reason: 'own_rule' };
    return { category, source: 'own_rule', reason: 'needs_consent' };
  };
  const host = (name: string, otherwise: Verdict['source']): Verdict => {
    if (isOwn(name)) return { category: null, source: 'own_host', reason: 'first_party' };
    const inList = suffixesOf(name)
      .map((one) => listed.get(one))
      .find((one) => one !== undefined);
    const known = classifyHost(name);
    const isKnown = known.category !== UNCLASSIFIED;
    const { category: found, vendor } = known.category === 'necessary' ? known : (inList ?? known);
    const source =
      found === UNCLASSIFIED
        ? otherwise
        : found === inList?.category && !isNecessary(known)
          ? 'vendor_list'
          : 'known';
    const told = { source, ...(vendor !== undefined && { vendor }) } as const;
    if (isKnown && isNecessary(known)) return { category: null, ...told, reason: 'necessary' };
    if (suffixesOf(name).some((one) => LIBRARIES.has(one)))
      return { category: null, ...told, reason: 'library' };
    if (found === UNCLASSIFIED) return { category: settings.unclassified, ...told, reason: 'unclassified' };
    const category = keyOf(found);
    if (category === undefined) {
      const isRequired = categories.some(({ key, required }) => required && key === found);
      return { category: null, ...told, reason: isRequired ? 'necessary' : 'no_category' };
    }
    const is = ({ id, name: called }: AskedVendor): boolean =>
      inList === undefined ? called.toLowerCase() === vendor?.toLowerCase() : id === inList.id;
    return { category, ...told, reason: 'needs_consent', ...vendorOf(is, category) };
  };
  return { own, host };
}

const isNecessary = ({ category }: Class): boolean => category === 'necessary';

/** The first come in; what is left out then is said. */
function inRoom(places: Judged[]): Judged[] {
  let left = ROOM;
  return places.map((one) => {
    const takes = one.category !== null || one.reason === 'own_rule';
    if (!takes) return one;
    left -= one.place.length;
    if (left >= 0) return one;
    const { asked: _, ...rest } = one;
    return { ...rest, category: null, reason: 'no_room' };
  });
}

/** Whether a place lies within a host. */
export const isWithin = (place: string, host: string): boolean =>
  isHost(host) && suffixesOf(hostOf(place)).includes(host);
