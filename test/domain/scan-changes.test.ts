import type { ScanResult } from '../../server/src/domain/cookies/result';
import { compareScans } from '../../server/src/domain/cookies/scan-changes';
import { nextTurn } from '../../server/src/domain/cookies/scan-turns';
import type { ScannedCookie, ScannedItem, ScannedRequest } from '../../server/src/domain/types';

const cookie = (name: string, more: Partial<ScannedCookie> = {}): ScannedCookie => ({
  ...{ storage: 'cookie', name, category: 'analytics', domain: 'shop.example', max_age_seconds: 0 },
  ...{ secure: true, http_only: false, same_site: null, set_before_consent: true, first_party: true },
  ...more,
});
const item = (name: string, more: Partial<ScannedItem> = {}): ScannedItem => ({
  ...{ storage: 'local_storage', name, host: 'shop.example', category: 'analytics', object_stores: [] },
  ...{ set_before_consent: true, first_party: true },
  ...more,
});
const host = (name: string, more: Partial<ScannedRequest> = {}): ScannedRequest => ({
  ...{ host: name, category: 'analytics', before_consent: true },
  ...more,
});
const scan = (change: Partial<ScanResult>) => ({
  url: 'https://shop.example/',
  engine: 'browser' as const,
  result: {
    ...{ cookies: [], stored_items: [], requests: [], banner_detected: true, findings: [], conclusive: true },
    ...change,
  },
});
const DAY = 86_400;

test('cookies are told apart by name and domain, other things by kind, name and host', () => {
  const changes = compareScans(
    scan({
      cookies: [cookie('stays'), cookie('goes'), cookie('moves')],
      stored_items: [item('a'), item('goes')],
      requests: [host('old.example')],
    }),
    scan({
      cookies: [cookie('stays'), cookie('comes'), cookie('moves', { domain: 'www.shop.example' })],
      stored_items: [item('a'), item('a', { storage: 'session_storage' })],
      requests: [host('new.example')],
    }),
  );
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect([names(changes.cookies.added), names(changes.cookies.gone)]).toEqual([
    ['comes', 'moves'],
    ['goes', 'moves'],
  ]);
  expect(changes.cookies.changed).toEqual([]);
  expect(changes.stored_items.added.map(({ storage }) => storage)).toEqual(['session_storage']);
  expect(names(changes.stored_items.gone)).toEqual(['goes']);
  expect(changes.hosts.added.map((one) => one.host)).toEqual(['new.example']);
  expect(changes.hosts.gone.map((one) => one.host)).toEqual(['old.example']);
});

test('what differs is named, and of hosts only those of third parties are compared', () => {
  const changes = compareScans(
    scan({
      cookies: [cookie('_ga')],
      stored_items: [item('db', { storage: 'indexed_db', object_stores: ['a'] })],
      requests: [host('ads.example'), host('shop.example')],
    }),
    scan({
      cookies: [cookie('_ga', { category: 'marketing', secure: false, same_site: 'Lax', vendor: 'A' })],
      stored_items: [item('db', { storage: 'indexed_db', object_stores: ['a', 'b'] })],
      requests: [host('ads.example', { before_consent: false }), host('www.shop.example')],
    }),
  );
  expect(changes.cookies.changed[0]?.differences).toEqual(['category', 'vendor', 'secure', 'same_site']);
  expect(changes.stored_items.changed[0]?.differences).toEqual(['object_stores']);
  expect(changes.hosts).toMatchObject({
    added: [],
    gone: [],
    changed: [{ differences: ['set_before_consent'] }],
  });
});

test.each([
  ['the same', 400 * DAY, 400 * DAY, false],
  ['seconds of a visit', 400 * DAY, 400 * DAY - 9, false],
  ['a day of the calendar', 30 * DAY, 29 * DAY, false],
  ['a session cookie that no longer is one', 0, 60, true],
  ['a month that became a year', 30 * DAY, 365 * DAY, true],
])('lifetimes: %s', (_, before, after, differs) => {
  const [one, other] = [before, after].map((max_age_seconds) =>
    scan({ cookies: [cookie('_ga', { max_age_seconds })] }),
  );
  expect(compareScans(one, other as NonNullable<typeof other>).cookies.changed).toHaveLength(differs ? 1 : 0);
});

test('a scan that sees less or more says so, and without an earlier one all is new', () => {
  const whole = scan({ cookies: [cookie('_ga')] });
  const part = scan({ conclusive: false });
  expect(compareScans(whole, part)).toMatchObject({ saw_less: true, saw_more: false });
  expect(compareScans(part, whole)).toMatchObject({ saw_less: false, saw_more: true });
  expect(compareScans(undefined, whole)).toMatchObject({
    saw_less: false,
    cookies: { added: [{ name: '_ga' }] },
  });
});

test('turns are spread over the day, and a page has its own at the same minute each time', () => {
  const now = new Date('2026-11-26T12:00:00.000Z');
  const turns = Array.from({ length: 500 }, (_, at) => nextTurn('daily', `page ${at}`, now));
  const hours = new Map<number, number>();
  for (const turn of turns) {
    const wait = turn.getTime() - now.getTime();
    expect([wait > 0, wait <= DAY * 1_000]).toEqual([true, true]);
    hours.set(turn.getUTCHours(), (hours.get(turn.getUTCHours()) ?? 0) + 1);
  }
  expect(hours.size).toBe(24);
  expect(Math.max(...hours.values())).toBeLessThan(50);
  const [first = now] = turns;
  expect(nextTurn('daily', 'page 0', first).getTime() - first.getTime()).toBe(DAY * 1_000);
  expect(nextTurn('daily', 'page 0', new Date(first.getTime() - 1))).toEqual(first);
  const weekly = nextTurn('weekly', 'page 0', now);
  expect(nextTurn('weekly', 'page 0', weekly).getTime() - weekly.getTime()).toBe(7 * DAY * 1_000);
});
