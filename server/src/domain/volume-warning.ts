import type { Warning } from './types';

/** Decisions of a day that nobody is warned of, and how many times the usual number is unusual. */
export const VOLUME = { least: 50_000, times: 10 };
/** Days before the present one that tell what is usual. */
export const USUAL_DAYS = 14;

/** Decisions of a day, and of the days before it together. */
export interface Volume {
  today: number;
  before: number;
}

/**
 * A warning when a site gets far more decisions than usual: anybody may send them, each is kept for years, and none is
 * refused for it, since they may be a campaign's visitors.
 */
export function volumeWarning({ today, before }: Volume, dayBegan: Date): Warning | undefined {
  const usual = before / USUAL_DAYS;
  if (today < Math.max(VOLUME.least, VOLUME.times * usual)) return undefined;
  const inDigits = (count: number): string => Math.round(count).toLocaleString('en');
  return {
    code: 'unusual_volume',
    severity: 'warning',
    message: `Today the site has got ${inDigits(today)} decisions, where ${inDigits(usual)} a day are usual. If no campaign explains it, a program may be sending them: look where the records come from, let the site take requests of its own domains only (enforce_origin), and have the space of the database watched.`,
    subject_id: null,
    since: dayBegan.toISOString(),
  };
}
