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
import { tidyHost } from './hosts';
import libraries from './libraries.data.json';
import { hostOf } from './settings';

/** Networks that deliver libraries: without them most pages that use one do not work at all. */
const LIBRARIES = new Set(libraries);

/** Known hosts without which pages do not work: also below a host that is held they never wait. */
export const SAFE: readonly string[] = [
  ...new Set([
    ...KNOWN.flatMap(({ hosts }) => Object.keys(hosts).filter((host) => hosts[host] === 'necessary')),
    ...LIBRARIES,
  ]),
];

/** What verdicts are given by. */
export interface VerdictSources {
  settings: AutoBlockingSettings;
  categories: readonly Category[];
  vendors: readonly Pick<Vendor, 'id' | 'name' | 'cookies'>[];
  /** Where visitors choose by vendor. */
  asked?: readonly AskedVendor[] | undefined;
  domains: readonly string[];
  /** This server's host. */
  server: string;
}

/** A place as rules are made of it. */
export type Judged = AutoBlockingPlace & {
  /** The number of the vendor that it waits for. */
  asked?: number;
  /** It passes, and a scan alone has named it. */
  isFound?: true;
};

export type Verdict = Pick<Judged, 'category' | 'source' | 'reason' | 'vendor' | 'asked'>;

/** What stands for a class of known hosts where no category has its name. */
const GRANTS: Record<string, GoogleConsentType> = {
  analytics: 'analytics_storage',
  marketing: 'ad_storage',
  functional: 'functionality_storage',
};

/** Whether the owner's places and hosts wait, and why. */
export interface Judge {
  isOwn(host: string): boolean;
  own(place: string, category: string | null): Verdict;
  host(name: string, otherwise: Verdict['source']): Verdict;
}

export function judging({
  settings,
  categories,
  vendors,
  asked = [],
  domains,
  server,
}: VerdictSources): Judge {
  const optional = categories.filter(({ required }) => !required);
  const isOwnDomain = belongsTo(domains);
  const isOwn = (host: string): boolean => host === server || isOwnDomain(host);
  const listed = new Map<string, Class & { id: number }>();
  for (const { id, name, cookies } of vendors)
    for (const { domain, category } of cookies) {
      const host = tidyHost(domain ?? '');
      if (host !== '' && !listed.has(host)) listed.set(host, { category, vendor: name, id });
    }
  const keyOf = (found: string): string | undefined =>
    optional.find(({ key }) => key === found)?.key ??
    (categories.some(({ key }) => key === found)
      ? undefined
      : optional.find(({ google_consent = [] }) => google_consent.includes(GRANTS[found] as never))?.key);
  const byId = new Map(asked.map((vendor) => [vendor.id, [vendor]]));
  const byName = new Map<string, AskedVendor[]>();
  for (const vendor of asked) {
    const name = vendor.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), vendor]);
  }
  const vendorOf = (those: readonly AskedVendor[] | undefined, category: string): { asked?: number } => {
    const vendor = those?.find((one) => one.categories.includes(category));
    return vendor === undefined ? {} : { asked: vendor.id };
  };
  const own = (place: string, category: string | null): Verdict => {
    const host = hostOf(place);
    const source = 'own_rule';
    if (isOwn(host)) return { category: null, source, reason: 'first_party' };
    if (category === null) return { category, source, reason: 'own_rule' };
    // Such a rule is refused, unless the host has become known since.
    if (isNecessary(classifyHost(host))) return { category: null, source, reason: 'necessary' };
    return { category, source, reason: 'needs_consent' };
  };
  const host = (name: string, otherwise: Verdict['source']): Verdict => {
    if (isOwn(name)) return { category: null, source: 'own_host', reason: 'first_party' };
    const inList = suffixesOf(name)
      .map((one) => listed.get(one))
      .find((one) => one !== undefined);
    const known = classifyHost(name);
    const { category: found, vendor } = isNecessary(known) ? known : (inList ?? known);
    const source =
      found === UNCLASSIFIED
        ? otherwise
        : found === inList?.category && !isNecessary(known)
          ? 'vendor_list'
          : 'known';
    const told = { source, ...(vendor !== undefined && { vendor }) } as const;
    if (isNecessary(known)) return { category: null, ...told, reason: 'necessary' };
    if (suffixesOf(name).some((one) => LIBRARIES.has(one)))
      return { category: null, ...told, reason: 'library' };
    if (found === UNCLASSIFIED) return { category: settings.unclassified, ...told, reason: 'unclassified' };
    const category = keyOf(found);
    if (category === undefined) {
      const isRequired = categories.some(({ key, required }) => required && key === found);
      return { category: null, ...told, reason: isRequired ? 'necessary' : 'no_category' };
    }
    const those = inList === undefined ? byName.get(vendor?.toLowerCase() ?? '') : byId.get(inList.id);
    return { category, ...told, reason: 'needs_consent', ...vendorOf(those, category) };
  };
  return { isOwn, own, host };
}

const isNecessary = ({ category }: Class): boolean => category === 'necessary';
