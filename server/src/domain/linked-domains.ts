import { normaliseDomain } from './addresses';
import type { Settings } from './types';
import { webUrl } from './web-address';

interface Fault {
  path: string;
  message: string;
}

/** Whether a name is one of a site's domains, or under one. */
const isOfSite = (name: string, domains: readonly string[]): boolean =>
  domains.some((domain) => name === domain || name.endsWith(`.${domain}`));

/** What a schema cannot say of the domains that choices are taken along between: paths in the settings, and what to do. */
export function linkedFaults(
  { linked_domains: linked, tcf, gpp }: Pick<Settings, 'linked_domains' | 'tcf' | 'gpp'>,
  domains: readonly string[],
): Fault[] {
  if (linked == null) return [];
  const faults: Fault[] = [];
  const wrong = (path: string, message: string): void => void faults.push({ path, message });
  for (const [name, value] of Object.entries({ tcf, gpp }))
    if (value != null)
      wrong(
        'linked_domains',
        `cannot be set together with ${name}, whose string cannot be taken along: set one of them to null`,
      );
  linked.forEach((name, index) => {
    const at = `linked_domains.${index}`;
    const usual = normaliseDomain(name);
    if (usual === undefined) wrong(at, 'must be a domain name such as shop.example.com');
    else if (usual !== name) wrong(at, `must be written in its usual form: ${usual}`);
    else if (linked.indexOf(name) < index)
      wrong(at, `the domain ${name} is listed twice: give each domain once`);
    else if (!isOfSite(name, domains))
      wrong(at, `${name} is none of the site's domains, nor under one: add it to the site's domains first`);
  });
  return faults;
}

/** The domains that choices are taken along between: those that still are the site's. */
export const linkedDomains = (
  linked: Settings['linked_domains'],
  domains: readonly string[],
): readonly string[] => (linked ?? []).filter((name) => isOfSite(name, domains));

/**
 * Whether an `Origin` header names a page of one of these domains. Of no host under one, which may be somebody else's: it
 * could bring visitors a choice that they never made.
 */
export function isLinked(origin: string | undefined, linked: readonly string[]): boolean {
  const host = origin === undefined || linked.length === 0 ? undefined : webUrl(origin)?.hostname;
  return host !== undefined && linked.includes(host);
}
