import { randomUUID } from 'node:crypto';
import { useServer } from '../helpers/server';
import { bucketsOf } from '../helpers/site/counts';

const server = useServer();

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * The midnight of a fixed offset that is nearest to now: always within a day, so that the visitor's clock
 * counts.
 */
const nearestMidnight = (offset: number): number =>
  Math.round((Date.now() + offset * MINUTE) / DAY) * DAY - offset * MINUTE;
const dayOf = (at: number, offset: number): string =>
  new Date(at + offset * MINUTE).toISOString().slice(0, 10);

test.each([
  ['UTC', 0],
  ['Asia/Kolkata', 330],
  ['Asia/Kathmandu', 345],
  ['Pacific/Honolulu', -600],
  ['Pacific/Kiritimati', 840],
  ['Pacific/Marquesas', -570],
])('%s: the day changes at its own midnight, and hours begin by its clocks', async (time_zone, offset) => {
  const { token } = await server.site({ time_zone });
  const midnight = nearestMidnight(offset);
  const times = [
    midnight - 60 * MINUTE,
    midnight - 1,
    midnight,
    midnight + 15 * MINUTE,
    midnight + 60 * MINUTE - 1,
  ];
  const events = times.map((at) => ({ name: 'banner_shown' as const, at: new Date(at).toISOString() }));
  await server.visitor.recordVisitorEvents({ token, body: { session_id: randomUUID(), events } });
  expect(await bucketsOf(server, token)).toEqual({
    days: [
      [dayOf(midnight - 1, offset), 2],
      [dayOf(midnight, offset), 3],
    ],
    hours: [
      [new Date(midnight - 60 * MINUTE).toISOString(), 2],
      [new Date(midnight).toISOString(), 3],
    ],
  });
});

test('an instant counts the same in whatever offset it is written', async () => {
  const { token } = await server.site({ time_zone: 'Asia/Kolkata' });
  const midnight = nearestMidnight(330);
  const local = (offset: number, text: string) =>
    `${new Date(midnight + offset * MINUTE).toISOString().slice(0, -1)}${text}`;
  const events = [local(0, 'Z'), local(345, '+05:45'), local(-210, '-03:30')].map((at) => ({
    name: 'banner_shown' as const,
    at,
  }));
  await server.visitor.recordVisitorEvents({ token, body: { session_id: randomUUID(), events } });
  expect(await bucketsOf(server, token)).toEqual({
    days: [[dayOf(midnight, 330), 3]],
    hours: [[new Date(midnight).toISOString(), 3]],
  });
});

test('a clock that is more than a day wrong does not count, ours does', async () => {
  const { token } = await server.site({ time_zone: 'Asia/Kathmandu' });
  const before = Date.now();
  const at = (days: number) => new Date(before + days * DAY).toISOString();
  const events = ['2000-01-01T00:00:00Z', '2099-12-31T23:59:59Z', at(-1.1), at(1.1)];
  const body = {
    session_id: randomUUID(),
    events: events.map((at) => ({ name: 'banner_shown' as const, at })),
  };
  await server.visitor.recordVisitorEvents({ token, body });
  const { days } = await bucketsOf(server, token);
  const possible = [dayOf(before, 345), dayOf(Date.now(), 345)];
  expect(days.map(([, n]) => n)).toEqual([4]);
  expect(possible).toContain(days[0]?.[0]);
});

test('decisions and impressions are counted on the site’s present day', async () => {
  const { token } = await server.site({ time_zone: 'Pacific/Kiritimati' });
  const before = Date.now();
  await server.visitor.logConsent({
    token,
    body: { session_id: randomUUID(), decision: 'reject_all', banner_version: 1 },
  });
  await server.visitor.recordImpression({ token, body: {} });
  const { days } = await bucketsOf(server, token);
  const possible = [dayOf(before, 840), dayOf(Date.now(), 840)];
  for (const [day] of days) expect(possible).toContain(day);
  expect(days.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(5);
});
