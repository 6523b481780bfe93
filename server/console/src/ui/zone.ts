import { createContext, useContext } from 'react';

/** The IANA time zone that times are shown in: the site's, or the browser's on pages without a site. */
export const ZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

export const useZone = (): string => useContext(ZoneContext);

/** The offset of the zone from UTC at an instant, in milliseconds. */
function offset(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(instant);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
  return wall - Math.floor(instant / 1000) * 1000;
}

/** The local time of an instant in the zone, in the format of `datetime-local`; '' for none. */
export function toWall(iso: string, timeZone: string): string {
  const instant = Date.parse(iso);
  return Number.isNaN(instant)
    ? ''
    : new Date(instant + offset(instant, timeZone)).toISOString().slice(0, 16);
}

/**
 * The instant of a local time in the zone; '' for none. A local time that daylight saving skips is read with
 * the offset before the change.
 */
export function fromWall(wall: string, timeZone: string): string {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return '';
  const guess = asUtc - offset(asUtc, timeZone);
  return new Date(asUtc - offset(guess, timeZone)).toISOString();
}

/** The zone's short name at an instant, such as CET or GMT+2. */
export function zoneName(timeZone: string, at = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
