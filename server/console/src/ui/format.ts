import { zoneName } from './zone';

const LOCALE = 'en-GB';

/** 21 Nov 2026, 10:30 CET. */
export function dateTime(iso: string, timeZone: string): string {
  const text = new Intl.DateTimeFormat(LOCALE, {
    ...{ timeZone, day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  }).format(new Date(iso));
  return `${text} ${zoneName(timeZone, Date.parse(iso))}`;
}

/** 21 Nov 2026. */
export const date = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(iso),
  );

/** 21 Nov: for the axis of a chart. */
export const dayAndMonth = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { timeZone, day: 'numeric', month: 'short' }).format(new Date(iso));

/** 12,345. */
export const count = (value: number): string => new Intl.NumberFormat(LOCALE).format(value);

/** A share from 0 to 1 as 64.3 %; a dash without one. */
export const percent = (share: number | null): string =>
  share === null
    ? '–'
    : `${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 }).format(share * 100)} %`;

/** From this percentage on, a change is shown as a multiple: +12,345 % is hard to read. */
const MAX_PERCENT = 1000;

/** The change of an amount: +12.5 %, or 24 times as many; undefined if it was 0 before. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = (now / before - 1) * 100;
  if (change >= MAX_PERCENT) return `${count(Math.round(now / before))} times as many`;
  return `${signed(change)} %`;
}

/** A number with its sign and at most one decimal: +3.2, −0.5, 0. */
export const signed = (value: number): string =>
  new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    .format(value)
    .replace('-', '−');

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** 3 hours ago, in 2 days. */
export function relative(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/**
 * A word of the contract as text: dsar_overdue → Dsar overdue. Pages have better names for frequent words.
 */
export const words = (key: string): string => {
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
