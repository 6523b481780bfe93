import { createHash } from 'node:crypto';
import { canonicalJson } from '../banner/canonical';
import { suffixesOf } from '../cookies/party';
import type { BundleAutoBlocking, HoldRule } from '../types';
import type { Judged } from './places';
import { hostOf, isHost } from './settings';

/** The rules that a page gets: only what changes something, in an order that the same places always give. */
export function rulesOf(places: readonly Judged[], own: readonly string[]): BundleAutoBlocking {
  const held = new Map(places.filter(({ category }) => category !== null).map((one) => [one.place, one]));
  const pathsOn = new Set([...held.keys()].filter((place) => !isHost(place)).map(hostOf));
  /** The nearest host that is held, itself or above it. */
  const above = (place: string): Judged | undefined => {
    const hosts = suffixesOf(hostOf(place));
    return (isHost(place) ? hosts.slice(1) : hosts)
      .map((host) => held.get(host))
      .find((one) => one !== undefined);
  };
  const passes = places.filter(({ category, reason }) => category === null && reason !== 'no_room');
  const free = new Set(passes.map(({ place }) => place));
  const isNews = (one: Judged): boolean => {
    if (!isHost(one.place)) return true;
    const parent = suffixesOf(one.place)
      .slice(1)
      .find((host) => held.has(host) || free.has(host) || pathsOn.has(host));
    const over = parent === undefined ? undefined : held.get(parent);
    return over?.category !== one.category || over?.asked !== one.asked || pathsOn.has(one.place);
  };
  const groups = new Map<string, HoldRule>();
  const put = (place: string, category: string | null, vendor?: number): void => {
    const key = `${category ?? ''} ${vendor ?? ''}`;
    const group = groups.get(key) ?? { category, ...(vendor !== undefined && { vendor }), hosts: [] };
    groups.set(key, group);
    if (!group.hosts.includes(place)) group.hosts.push(place);
  };
  for (const one of held.values()) if (isNews(one)) put(one.place, one.category, one.asked);
  for (const place of [...passes.map((one) => one.place), ...own])
    if (!held.has(place) && (above(place) !== undefined || (isHost(place) && pathsOn.has(place))))
      put(place, null);
  const rules = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, rule]) => rule);
  for (const { hosts } of rules) hosts.sort();
  return { rules };
}

/** Tells rules apart. */
export const digestOfRules = ({ rules }: BundleAutoBlocking): string =>
  createHash('sha256').update(canonicalJson({ rules })).digest('base64url').slice(0, 24);
