/** A minute, an hour and a day, in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The next whole hour: an index stores what expires together under one key. */
export const toHour = (time: number): number => Math.ceil(time / HOUR_MS) * HOUR_MS;
