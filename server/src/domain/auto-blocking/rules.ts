import { createHash } from 'node:crypto';
import { canonicalJson } from '../banner/canonical';
import { parentsOf } from '../cookies/party';
import type { BundleAutoBlocking, HoldRule } from '../types';
import type { Judged, Verdict } from './judging';
import { noRoom } from './places';
import { hostOf, isHost } from './settings';

/** The contract's limits: characters of all places, rules, and places of one. */
const ROOM = 16_000;
const MOST_RULES = 500;
const MOST_HOSTS = 1_000;

type Says = Pick<Judged, 'category' | 'asked'>;

/** What never waits. */
const FREE: Says = { category: null };

/**
 * The rules that a page gets, and the places with those that it has no room for: of places that wait the first come in.
 * `own` are the hosts of the site and this server.
 */
export function* rulesOf(
  places: readonly Judged[],
  own: readonly string[],
): Generator<void, { rules: BundleAutoBlocking; places: Judged[] }> {
  const waiting = places.filter(({ category }) => category !== null);
  const passing = places.filter(({ category, reason }) => category === null && reason !== 'no_room');
  const free = [...passing.filter(({ isFound }) => isFound !== true).map(({ place }) => place), ...own];
  const found = passing.filter(({ isFound }) => isFound === true);
  // A page names what a scan finds: what it has pass is the last that takes room.
  const all = [...waiting, ...found];
  const rulesOfFirst = (some: number): Generator<void, BundleAutoBlocking> =>
    rulesBy(all.slice(0, Math.min(some, waiting.length)), free, all.slice(waiting.length, some));
  let rules = yield* rulesOfFirst(all.length);
  if (fits(rules)) return { rules, places: [...places] };
  // What never waits takes no room by itself, so that the first none fit.
  let [most, tooMany] = [0, all.length];
  rules = { rules: [] };
  while (tooMany - most > 1) {
    const some = Math.floor((most + tooMany) / 2);
    const tried = yield* rulesOfFirst(some);
    if (fits(tried)) [most, rules] = [some, tried];
    else tooMany = some;
  }
  const out = new Set(all.slice(most));
  const said = new Map<string, Judged | undefined>(waiting.slice(0, most).map((one) => [one.place, one]));
  for (const place of free) if (!said.has(place)) said.set(place, undefined);
  const without = (one: Judged): Judged => {
    if (!out.has(one)) return one;
    const next = isHost(one.place) ? parentsOf(one.place).find((host) => said.has(host)) : undefined;
    const above = next === undefined ? undefined : said.get(next);
    if (one.isFound) return above === undefined ? one : { ...one, ...verdictOf(above) };
    // What it lies in holds it.
    return above?.category === one.category && above.asked === one.asked ? one : noRoom(one);
  };
  return { rules, places: places.map(without) };
}

/** What waits with what it lies in waits for the same reason. */
const verdictOf = ({ category, source, reason, vendor }: Judged): Omit<Verdict, 'asked'> => ({
  ...{ category, source, reason },
  ...(vendor !== undefined && { vendor }),
});

/** What stands in each page is bounded. */
const fits = ({ rules }: BundleAutoBlocking): boolean =>
  rules.length <= MOST_RULES &&
  rules.every(({ hosts }) => hosts.length <= MOST_HOSTS) &&
  rules.reduce((sum, { hosts }) => sum + hosts.reduce((all, host) => all + host.length, 0), 0) <= ROOM;

/** Only what changes something, in an order that the same places always give. */
function* rulesBy(
  waiting: readonly Judged[],
  free: readonly string[],
  found: readonly Judged[],
): Generator<void, BundleAutoBlocking> {
  const said = new Map<string, Says>(waiting.map((one) => [one.place, one]));
  for (const place of free) if (!said.has(place)) said.set(place, FREE);
  const paths = [...said].filter(([place]) => !isHost(place));
  const withPaths = new Set(paths.map(([place]) => hostOf(place)));
  const withWaiting = new Set(
    paths.filter(([, one]) => one.category !== null).map(([place]) => hostOf(place)),
  );
  /** Whether a place says something else than what it lies in: the nearest host with a rule, or with rules of paths. */
  const isNews = (place: string, { category, asked }: Says): boolean => {
    if (!isHost(place) && category !== null) return true;
    const counts = category === null ? withWaiting : withPaths;
    const hosts = isHost(place) ? parentsOf(place) : [hostOf(place), ...parentsOf(hostOf(place))];
    const next = hosts.find((host) => said.has(host) || counts.has(host));
    if (next === undefined) return category !== null;
    const above = said.get(next) ?? FREE;
    return counts.has(next) || above.category !== category || above.asked !== asked;
  };
  // Where an owner's rule is for a part of a host, what a scan finds below it makes no exception from it.
  const passes = ({ place }: Judged): boolean => {
    const next = parentsOf(place).find((host) => said.has(host) || withPaths.has(host));
    return next !== undefined && !withPaths.has(next) && said.get(next)?.category !== null;
  };
  for (const { place } of found.filter(passes)) said.set(place, FREE);
  const groups = new Map<string, HoldRule>();
  for (const [place, one] of said) {
    yield;
    if (!isNews(place, one)) continue;
    const key = `${one.category ?? ''} ${one.asked ?? ''}`;
    const group = groups.get(key) ?? {
      category: one.category,
      ...(one.asked !== undefined && { vendor: one.asked }),
      hosts: [],
    };
    groups.set(key, group);
    group.hosts.push(place);
  }
  const rules = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, rule]) => rule);
  for (const { hosts } of rules) hosts.sort();
  return { rules };
}

/** Tells rules apart. */
export const digestOfRules = ({ rules }: BundleAutoBlocking): string =>
  createHash('sha256').update(canonicalJson({ rules })).digest('base64url').slice(0, 24);
