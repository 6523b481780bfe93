import { language } from './language.js';

/** The largest first; years only when they are whole or many, since 400 days say more than 1.1 years. */
const UNITS: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const YEAR = 31_536_000;

/** A cookie's lifetime in words of the banner's language; 0 seconds is the browser's session. */
export function lifetime(seconds: number, session: string): string {
  if (seconds === 0) return session;
  const [unit, size] =
    seconds % YEAR === 0 || seconds > 2 * YEAR
      ? ['year', YEAR]
      : (UNITS.find(([, one]) => seconds >= one) as [string, number]);
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language(), style).format(seconds / (size as number));
}
