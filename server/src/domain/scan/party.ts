/** The name that a site is known by: without `www.`. */
export const siteOf = (host: string): string => host.replace(/^www\./, '');

/**
 * Whether a host or cookie domain belongs to the scanned host: the same one, a parent or a subdomain. Without a list of public suffixes
 * two shops under one registrable domain count as third parties: the stricter side, and never a foreign tracker as first party,
 * because browsers accept no cookie for a public suffix (RFC 6265 §5.3).
 */
export function isFirstParty(domain: string, scannedHost: string): boolean {
  const [a, b] = [siteOf(domain.toLowerCase()), siteOf(scannedHost.toLowerCase())];
  return a === b || a.endsWith(`.${b}`) || (b.endsWith(`.${a}`) && a.includes('.'));
}
