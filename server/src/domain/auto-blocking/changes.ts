import { suffixesOf } from '../cookies/party';
import type { BundleAutoBlocking, HoldRule } from '../types';
import { hostOf } from './settings';

/** What another bundle would change in what a published one holds. */
export interface HeldChanges {
  /** Whether something would wait that does not, or for something else. */
  adds: boolean;
  /** Whether something would wait no more. */
  removes: boolean;
}

/** Compared by what places wait for: a domain that stands for its hosts takes none of them away. */
export function heldChanges(before: BundleAutoBlocking, now: BundleAutoBlocking): HeldChanges {
  const [was, is] = [finder(before), finder(now)];
  const places = [...before.rules, ...now.rules].flatMap(({ hosts }) => hosts);
  return {
    adds: places.some((place) => waits(is(place)) && !isSame(was(place), is(place))),
    removes: places.some((place) => waits(was(place)) && !waits(is(place))),
  };
}

const waits = (rule: HoldRule | undefined): boolean => rule !== undefined && rule.category !== null;

const isSame = (one: HoldRule | undefined, other: HoldRule | undefined): boolean =>
  (one?.category ?? null) === (other?.category ?? null) && one?.vendor === other?.vendor;

/** As pages find them: the longest host that has a rule, and on it the longest beginning. */
function finder({ rules }: BundleAutoBlocking): (place: string) => HoldRule | undefined {
  const byPlace = new Map(rules.flatMap((rule) => rule.hosts.map((place) => [place, rule] as const)));
  const paths = new Map<string, string[]>();
  for (const place of byPlace.keys()) {
    const host = hostOf(place);
    if (host !== place) paths.set(host, [...(paths.get(host) ?? []), place]);
  }
  for (const all of paths.values()) all.sort((one, other) => other.length - one.length);
  return (place) => {
    for (const host of suffixesOf(hostOf(place))) {
      const beginning = host + place.slice(hostOf(place).length);
      const found = paths.get(host)?.find((one) => beginning.startsWith(one)) ?? host;
      const rule = byPlace.get(found);
      if (rule !== undefined) return rule;
    }
    return undefined;
  };
}
