import { domainToASCII } from 'node:url';

/** A domain in lower-case A-labels (RFC 5890), without a final dot; undefined when it is no domain name. */
export function normaliseDomain(domain: string): string | undefined {
  // The final dot may be an ideographic one, which only this makes a dot.
  const ascii = domainToASCII(domain).replace(/\.$/, '');
  if (ascii === 'localhost') return ascii;
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return ascii.length <= 253 && new RegExp(`^(${label}\\.)+${label}$`).test(ascii) ? ascii : undefined;
}

/** Whether an `Origin` header belongs to one of the domains (any port; `www.` stands for its domain). */
export function originBelongs(origin: string | undefined, domains: ReadonlySet<string>): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return domains.has(hostname) || (hostname.startsWith('www.') && domains.has(hostname.slice(4)));
}
