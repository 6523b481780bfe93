import { KNOWN, knownIn } from '../cookies/classification';
import { registrableOf, suffixesOf } from '../cookies/party';
import { isHeldHost, isWritten, tidyHost } from './hosts';
import { type Judge, type Judged, judging, SAFE, type Verdict, type VerdictSources } from './judging';
import { hostOf } from './settings';

/** Hosts of one registrable domain that a scan adds; where it finds more, the domain stands for them, or they are left out. */
const MOST_OF_DOMAIN = 10;
/** Hosts of a list of vendors that are looked at: a page has no room for more. */
const MOST_LISTED = 2_000;
const IS_SAFE = new Set(SAFE);
const LEFT_OUT: Verdict = { category: null, source: 'vendor_list', reason: 'no_room' };
/** Known hosts of other classes wait only where a scan has found them. */
const TRACKERS = new Set(['analytics', 'marketing']);

/** What places are judged by. */
export interface PlaceSources extends VerdictSources {
  /** Hosts that the newest scans of the site's pages saw contacted. */
  contacted: readonly string[];
  /** Those from which they saw the page's banner hold something. */
  held: readonly string[];
}

/**
 * What is held, what is not, and why, the most important first: the owner's rules, known trackers, hosts of vendors, what
 * scans found. What then has no room in a page is for the rules to say.
 */
export function* placesOf(sources: PlaceSources): Generator<void, Judged[]> {
  const { settings, contacted, held, vendors } = sources;
  const judge = judging(sources);
  const places = new Map<string, Judged>();
  const [saw, kept] = [new Set(contacted), new Set(held)];
  const [sawBelow, keptBelow] = [yield* endsOf(saw), yield* endsOf(kept)];
  const add = (place: string, verdict: Verdict & Pick<Judged, 'isFound'>, seen = { saw, kept }): void => {
    if (places.has(place)) return;
    const host = hostOf(place);
    places.set(place, { place, ...verdict, contacted: seen.saw.has(host), held: seen.kept.has(host) });
  };
  /** Seen with all that lies below it. */
  const whole = { saw: sawBelow, kept: keptBelow };
  const own = new Set<string>();
  for (const { place, category } of settings.rules)
    if (isHeldHost(hostOf(place))) {
      own.add(place);
      add(place, judge.own(place, category), whole);
    }
  const isRuled = (host: string): boolean => suffixesOf(host).some((one) => own.has(one));
  const isFree = (host: string): boolean => isHeldHost(host) && !isRuled(host);
  for (const { hosts } of KNOWN)
    for (const [host, category] of Object.entries(hosts))
      if (TRACKERS.has(category) && !isRuled(host)) add(host, judge.host(host, 'known'));
  let listed = 0;
  for (const { cookies } of vendors)
    for (const { domain } of cookies) {
      yield;
      const host = tidyHost(domain ?? '');
      if (places.has(host) || !isFree(host)) continue;
      listed += 1;
      add(host, listed > MOST_LISTED ? LEFT_OUT : judge.host(host, 'vendor_list'));
    }
  const found = new Map<string, Verdict>();
  const standing = new Set<string>();
  for (const host of new Set([...contacted, ...held].sort())) {
    yield;
    if (places.has(host) || isRuled(host)) continue;
    if (!(judge.isOwn(host) ? isWritten(host) : isHeldHost(host))) continue;
    const verdict = judge.host(host, 'scan');
    // What is known stands for whatever names a page has below it.
    const known = verdict.reason === 'no_category' ? knownIn(host) : undefined;
    const isOne = known !== undefined && known !== host && !places.has(known);
    if (isOne) standing.add(known);
    found.set(isOne ? known : host, verdict);
  }
  const said = yield* bounded([...found], places, judge);
  for (const domain of said.standing) standing.add(domain);
  for (const [host, verdict] of said.places) {
    const isFound = verdict.category === null && !IS_SAFE.has(host);
    add(host, { ...verdict, ...(isFound && { isFound }) }, standing.has(host) ? whole : undefined);
  }
  const above = hostsAbove(places);
  for (const host of SAFE)
    if (
      suffixesOf(host)
        .slice(1)
        .some((one) => above.has(one))
    )
      add(host, judge.host(host, 'known'), whole);
  return [...places.values()];
}

/** Hosts with all that they lie in. */
function* endsOf(hosts: ReadonlySet<string>): Generator<void, Set<string>> {
  const ends = new Set<string>();
  for (const host of hosts) {
    yield;
    for (const end of suffixesOf(host)) ends.add(end);
  }
  return ends;
}

/** Hosts of all places that wait. */
const hostsAbove = (places: ReadonlyMap<string, Judged>): Set<string> =>
  new Set([...places.values()].filter(({ category }) => category !== null).map(({ place }) => hostOf(place)));

/** What waits would wait, had the page room for it. */
export const noRoom = <Of extends Verdict>({ asked: _, ...verdict }: Of): Omit<Of, 'asked'> =>
  verdict.category === null ? verdict : { ...verdict, category: null, reason: 'no_room' };

const isSame = (one: Verdict | undefined, other: Verdict): boolean =>
  one !== undefined && one.category === other.category && one.asked === other.asked;

/** What known hosts of a registrable domain there are. */
const KNOWN_IN = new Map<string, string[]>();
for (const host of [...KNOWN.flatMap(({ hosts }) => Object.keys(hosts)), ...SAFE]) {
  const domain = registrableOf(host);
  KNOWN_IN.set(domain, [...(KNOWN_IN.get(domain) ?? []), host]);
}

/** Hosts of one domain that scans found, at most ten that add something, or the domain instead of all of these. */
function* bounded(
  found: readonly [string, Verdict][],
  places: ReadonlyMap<string, Verdict>,
  judge: Judge,
): Generator<void, { places: [string, Verdict][]; standing: ReadonlySet<string> }> {
  /** Whether a place that is there already says the same. */
  const isSaid = (host: string, verdict: Verdict): boolean =>
    isSame(
      suffixesOf(host)
        .map((one) => places.get(one))
        .find((one) => one !== undefined),
      verdict,
    );
  const domains = new Map<string, [string, Verdict][]>();
  for (const one of found) {
    yield;
    const domain = registrableOf(one[0]);
    const those = domains.get(domain) ?? [];
    domains.set(domain, those);
    those.push(one);
  }
  const standing = new Set<string>();
  const boundedBy = (domain: string, hosts: [string, Verdict][]): [string, Verdict][] => {
    const adding = hosts.filter(([host, verdict]) => verdict.category !== null && !isSaid(host, verdict));
    if (adding.length <= MOST_OF_DOMAIN) return hosts;
    const stands = judge.host(domain, 'scan');
    const isOne =
      !places.has(domain) &&
      hosts.every(([, verdict]) => isSame(stands, verdict)) &&
      (KNOWN_IN.get(domain) ?? []).every((host) => judge.host(host, 'known').category === stands.category);
    if (isOne) {
      standing.add(domain);
      return [[domain, stands]];
    }
    // The shortest first: they stand for most, and change least.
    const first = new Set([...adding].sort(byLength).slice(0, MOST_OF_DOMAIN));
    const others = new Set(adding.filter((one) => !first.has(one)));
    return hosts.map((one): [string, Verdict] => (others.has(one) ? [one[0], noRoom(one[1])] : one));
  };
  const all: [string, Verdict][] = [];
  for (const [domain, hosts] of domains) {
    yield;
    all.push(...boundedBy(domain, hosts));
  }
  return { places: all, standing };
}

const byLength = ([one]: [string, Verdict], [other]: [string, Verdict]): number =>
  one.length - other.length || (one < other ? -1 : 1);

/** As owners look for them: their rules, what scans saw, and the rest; at most as many as the contract lets through. */
export function inOrder(places: readonly Judged[], most = 3_000): Judged[] {
  const rankOf = ({ source, contacted, held }: Judged): number =>
    source === 'own_rule' ? 0 : contacted || held ? 1 : 2;
  const own = places.filter((one) => rankOf(one) === 0);
  const seen = places
    .filter((one) => rankOf(one) === 1)
    .sort(({ place: one }, { place: other }) => (one < other ? -1 : 1));
  return [...own, ...seen, ...places.filter((one) => rankOf(one) === 2)].slice(0, most);
}

/** How much has no room in a page, and how much of that is known or the owner's. */
export function crowdedOf(places: readonly Judged[]): { all: number; known: number } {
  const out = places.filter(({ reason }) => reason === 'no_room');
  const known = out.filter(({ source }) => source === 'known' || source === 'own_rule');
  return { all: out.length, known: known.length };
}
