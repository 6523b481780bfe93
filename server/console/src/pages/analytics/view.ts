import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { Schemas } from '../../app/data';
import { useZone } from '../../ui';
import { type Days, daysOf, PERIODS, type Period, today, usualInterval } from './period';

export type Interval = Schemas['AnalyticsInterval'];
export type Group = Schemas['AnalyticsGroup'];

/** The settings of the report; kept in the address, so that they can be shared and survive a reload. */
export interface View {
  period: Period;
  days: Days;
  /** The interval of a point: the one in the address, or the default for the period. */
  interval: Interval;
  by: Interval | '';
  group: Group | '';
}

export const INTERVALS: readonly (readonly [Interval | '', string])[] = [
  ['', 'Automatic'],
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];

export const GROUPS: readonly (readonly [Group | '', string])[] = [
  ['', 'Nothing'],
  ['language', 'Language'],
  ['banner_version', 'Banner version'],
  ['device', 'Device'],
];

/** The view in the address, and a function that changes parts of it. */
export function useView(): [View, (part: Record<string, string>) => void] {
  const zone = useZone();
  const [search, setSearch] = useSearchParams();
  // Further changes may come before the address is updated: each is based on the one before it.
  const pending = useRef<Record<string, string>[]>([]);
  useEffect(() => {
    const at = pending.current.findIndex((view) => String(new URLSearchParams(view)) === String(search));
    pending.current = at === -1 ? [] : pending.current.slice(at + 1);
  }, [search]);
  const change = (part: Record<string, string>) => {
    const next = { ...(pending.current.at(-1) ?? Object.fromEntries(search)), ...part };
    pending.current.push(next);
    setSearch(next, { preventScrollReset: true });
  };
  return [read(search, zone), change];
}

function read(search: URLSearchParams, zone: string): View {
  const pick = <Key extends string>(
    name: string,
    all: readonly (readonly [Key, string])[],
    usual: Key,
  ): Key => all.find(([key]) => key === search.get(name))?.[0] ?? usual;
  const period = pick('period', PERIODS, '30');
  const last = today(zone);
  const days =
    period === 'custom'
      ? { first: search.get('from') ?? daysOf('30', last).first, last: search.get('to') ?? last }
      : daysOf(period, last);
  const by = pick('by', INTERVALS, '');
  return { period, days, by, interval: by || usualInterval(days), group: pick('group', GROUPS, '') };
}
