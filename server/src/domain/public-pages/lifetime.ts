import type { StorageKind } from '../types';

const YEAR = 31_536_000;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** What is said of 0 seconds: the browser's session, or as long as nobody deletes it. */
export interface Endless {
  session: string;
  kept: string;
}

/** Storage that has no end of its own. */
const LASTING = new Set<StorageKind>(['local_storage', 'indexed_db']);

/** A lifetime as the banner says it: years when they are whole or more than two. */
export function lifetimeIn(
  language: string,
  seconds: number,
  storage: StorageKind,
  endless: Endless,
): string {
  if (seconds <= 0) return LASTING.has(storage) ? endless.kept : endless.session;
  const [unit, size] =
    seconds % YEAR === 0 || seconds > 2 * YEAR
      ? (['year', YEAR] as const)
      : (UNITS.find(([, one]) => seconds >= one) ?? UNITS[3]);
  return formatterOf(language, unit).format(seconds / size);
}

/** Of the product's own languages: making one costs more than using it a hundred times. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(language: string, unit: string): Intl.NumberFormat {
  const key = `${language} ${unit}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  const made = new Intl.NumberFormat(language, style);
  formatters.set(key, made);
  return made;
}
