import type { operations } from '../../../spec/generated/api';
import { lastSeenHour } from '../db/gather-evidence';
import { EnvironmentRow } from '../db/models';
import { dayOf, startOfDay } from '../domain/calendar';
import { normaliseDomain } from '../domain/domain-name';
import { ValidationError } from '../errors';
import { aliveSince } from './compliance';
import { Cached, type Handler } from './handler';

/** How long an answer may be kept, in seconds. */
const MAX_AGE = 60;
/** Sites that claim the same domain and are looked at. */
const MOST = 20;

/** `www.` stands for its domain, as it does for the origins that an environment takes requests from. */
const namesOf = (domain: string): string[] =>
  domain.startsWith('www.') ? [domain, domain.slice(4)] : [domain];

export const verifyDomain: Handler<operations['verifyDomain']> = async ({ db }, { params }) => {
  const domain = normaliseDomain(params.domain);
  if (domain === undefined)
    throw ValidationError.of('path.domain', 'must be a domain name such as www.example.com', 'domain');
  const sites = await EnvironmentRow.query(db)
    .whereRaw('domains && ?', [namesOf(domain)])
    .where({ status: 'active' })
    .orderBy('id', 'desc')
    .limit(MOST);
  const found = await Promise.all(
    sites.map(async (site) => {
      const zone = site.settings.time_zone;
      const hour = await lastSeenHour(db, site.id, aliveSince(new Date()));
      return { site, seen: hour && startOfDay(zone, dayOf(zone, hour.getTime())) };
    }),
  );
  // Where several sites claim a domain, the one whose banner is alive is the one that visitors meet.
  const best = found.sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0))[0];
  if (best === undefined)
    return new Cached({ domain, verified: false, consent_active: false }, undefined, MAX_AGE);
  const { site, seen } = best;
  const data = {
    domain,
    verified: true,
    environment_token: site.token,
    consent_active: seen !== undefined,
    last_seen_at: seen === undefined ? null : new Date(seen).toISOString(),
    policy_version: site.settings.policy_version,
  };
  return new Cached(data, undefined, MAX_AGE);
};
