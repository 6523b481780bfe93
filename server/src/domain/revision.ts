import { createHash } from 'node:crypto';

/** What owners change of a site besides its settings. */
export interface SiteFacts {
  name: string;
  domain: string;
  domains: string[];
  url: string;
  status: 'active' | 'paused';
}

/** Tells one state of these facts from another: 128 bits of their SHA-256, 22 characters of base64url. */
export function revisionOf({ name, domain, domains, url, status }: SiteFacts): string {
  const facts = JSON.stringify([name, domain, domains, url, status]);
  return createHash('sha256').update(facts).digest().subarray(0, 16).toString('base64url');
}
