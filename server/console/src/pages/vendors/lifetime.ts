import type { Schemas } from '../../app/data';

/** The kinds of browser storage. */
export type StorageKind = Schemas['StorageKind'];

/** The kinds and their names. */
export const STORAGE: readonly (readonly [StorageKind, string])[] = [
  ['cookie', 'Cookie'],
  ['local_storage', 'Local storage'],
  ['session_storage', 'Session storage'],
  ['indexed_db', 'IndexedDB'],
];

export const storageName = (kind: StorageKind): string => STORAGE.find(([one]) => one === kind)?.[1] ?? kind;

/** The meaning of 0 seconds: when the browser itself deletes the item. */
export const OWN_END: Record<StorageKind, string> = {
  cookie: 'Until the browser is closed',
  local_storage: 'Until it is deleted',
  session_storage: 'Until the tab is closed',
  indexed_db: 'Until it is deleted',
};

/** Units of a cookie's lifetime, in seconds; largest first. */
export const UNITS = [
  ['year', 'years', 31_536_000],
  ['month', 'months', 2_592_000],
  ['day', 'days', 86_400],
  ['hour', 'hours', 3600],
  ['minute', 'minutes', 60],
  ['second', 'seconds', 1],
] as const;

export type Unit = (typeof UNITS)[number][0] | 'session';

export interface Lifetime {
  amount: number | undefined;
  unit: Unit;
}

const size = (unit: Unit): number => UNITS.find(([name]) => name === unit)?.[2] ?? 0;

/** The lifetime in the largest unit that gives a whole number; 0 is the browser's session. */
export function toLifetime(seconds: number): Lifetime {
  if (seconds <= 0) return { amount: undefined, unit: 'session' };
  const [unit, , length] = UNITS.find(([, , long]) => seconds % long === 0) ?? UNITS[5];
  return { amount: seconds / length, unit };
}

/** Seconds; 0 for the browser's session. */
export const toSeconds = ({ amount, unit }: Lifetime): number =>
  unit === 'session' ? 0 : (amount ?? 0) * size(unit);

/** 90 days, or: until the browser is closed. */
export function lifetimeText(seconds: number): string {
  if (seconds <= 0) return OWN_END.cookie;
  const [name, plural, length] = UNITS.find(([, , long]) => seconds >= long) ?? UNITS[5];
  const amount = Math.round((seconds / length) * 10) / 10;
  return `${amount} ${amount === 1 ? name : plural}`;
}
