import { claimsOf, type ProvenSite } from '../db/domain-proofs';
import { lastSeenHour } from '../db/gather-evidence';
import { readDomain } from '../domain/addresses';
import { dayOf, startOfDay } from '../domain/calendar';
import { clock } from '../domain/clock';
import { aliveSince } from '../services/evidence';
import { Cached, type Handler } from './handler';

/** How long an answer may be kept, in seconds. */
const MAX_AGE = 60;
/** How many sites that claim the same domain are considered. */
const MAX_SITES = 20;

/** `www.` stands for its domain, as it does for the origins that an environment takes requests from. */
const namesOf = (domain: string): string[] =>
  domain.startsWith('www.') ? [domain, domain.slice(4)] : [domain];

export const verifyDomain: Handler<'verifyDomain'> = async ({ db }, { params }) => {
  const domain = readDomain(params.domain, 'path.domain');
  const claims = await claimsOf(db, namesOf(domain), clock.date(), MAX_SITES);
  const sites = claims.filter((claim): claim is ProvenSite => claim.proven);
  const found: { site: ProvenSite; seen: number | undefined }[] = [];
  // One after the other: a stranger's request takes one connection.
  for (const site of sites) {
    const zone = site.time_zone;
    const hour = await lastSeenHour(db, site.id, aliveSince(clock.date()));
    found.push({ site, seen: hour && startOfDay(zone, dayOf(zone, hour.getTime())) });
  }
  // If several sites have proven a domain, the one whose banner was seen most recently is the one that visitors
  // meet.
  const best = found.sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0))[0];
  if (best === undefined) {
    const claim = claims.length > 0 ? 'unproven' : 'none';
    return new Cached({ domain, verified: false, claim, consent_active: false } as const, undefined, MAX_AGE);
  }
  const { site, seen } = best;
  const data = {
    domain,
    verified: true,
    claim: 'proven' as const,
    environment_token: site.token,
    consent_active: seen !== undefined,
    last_seen_at: seen === undefined ? null : new Date(seen).toISOString(),
    policy_version: site.policy_version,
  };
  return new Cached(data, undefined, MAX_AGE);
};
