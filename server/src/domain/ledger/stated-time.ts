import { MINUTE_MS } from '../time';

/** How far the time of others may be from ours, in milliseconds: a request takes 15 s, and clocks differ by a minute. */
const OFF = 5 * MINUTE_MS;

/** What is wrong with the time that an authority or a witness states; both times are milliseconds since 1970. */
export function faultOfTime(stated: number, at: number): string | undefined {
  const off = Math.round((stated - at) / 1_000);
  return Math.abs(off) * 1_000 <= OFF ? undefined : `its time is ${off} s off the time of this server`;
}
