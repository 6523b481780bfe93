/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { itIs } from '../helpers/at-time';
import { post } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { deviceOf, exportVisits } from './export-visits';
import { Clocks, type Dimension, type Interval, inOrder, recount, type Visit } from './recount';

/** More with FC_RUNS, to look longer than a test may take. */
const RUNS = Number(process.env.FC_RUNS ?? 8);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Date.parse('2025-09-10T00:00:00Z');
const LAST = Date.parse('2026-11-10T00:00:00Z');

/**
 * With summer time at one, two, three and four in the morning, at midnight, by half an hour, the other way
 * round, and without.
 */
const ZONES = [
  ...['Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham', 'Australia/Lord_Howe', 'America/Havana'],
  ...['Africa/Cairo', 'America/Santiago', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC'],
];
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5',
  'Mozilla/5.0 (Linux; Android 14; SM-T870) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)',
  'something else',
];
const BEFORE = { languages: ['de', 'en'], keys: ['necessary', 'functional', 'analytics', 'marketing'] };
const AFTER = { languages: ['de', 'fr'], keys: ['necessary', 'analytics', 'marketing', 'social_media'] };
const settingsOf = ({ languages, keys }: typeof BEFORE) => ({
  default_language: 'de',
  languages,
  categories: keys.map((key) => ({ key, name: key, description: '', required: key === 'necessary' })),
});

// No jobs: they would make retention look at this day.
const server = useServer({ variables: { ROLE: 'api' } });
afterEach(() => jest.useRealTimers());

const action = fc.record({
  way: fc.constantFrom('log', 'preferences', 'ce', 'impression', 'events'),
  decision: fc.constantFrom('accept_all', 'reject_all', 'save_preferences'),
  allowed: fc.subarray([0, 1, 2]),
  language: fc.constantFrom(undefined, 'de', 'en', 'fr', 'pl', 'pt-BR'),
  agent: fc.constantFrom(...AGENTS),
  version: fc.constantFrom(undefined, 1, 2),
  name: fc.constantFrom('settings_opened', 'banner_closed', 'category_toggled'),
  /** How far the visitor's clock is from ours, in minutes. */
  skew: fc.integer({ min: -1400, max: 1400 }),
  twice: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** An instant as a share of the history, or as minutes from a change of the clocks. */
const instant = fc.oneof(
  fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ change: fc.nat(5), minutes: fc.integer({ min: -200, max: 200 }) }),
);
type Instant = typeof instant extends fc.Arbitrary<infer Value> ? Value : never;

const moment = fc.record({ at: instant, actions: fc.array(action, { minLength: 1, maxLength: 6 }) });
const question = fc.record({
  from: instant,
  to: instant,
  interval: fc.constantFrom('hour', 'day', 'week', 'month'),
  group_by: fc.constantFrom(undefined, 'language', 'banner_version', 'device'),
});
const history = fc.record({
  zone: fc.constantFrom(...ZONES),
  moments: fc.array(moment, { minLength: 15, maxLength: 25 }),
  questions: fc.array(question, { minLength: 6, maxLength: 6 }),
});

const zones = new Map<string, { clocks: Clocks; changes: number[] }>();
/** What is known of a zone, worked out once. */
function zoneOf(zone: string) {
  const clocks = new Clocks(zone);
  const known = zones.get(zone) ?? { clocks, changes: changesOf(clocks) };
  zones.set(zone, known);
  return known;
}

/** The instants at which a zone's clocks are changed; any two for a zone that has none. */
function changesOf(clocks: Clocks): number[] {
  const offset = (at: number) => clocks.show(at).hour.split('GMT')[1];
  const found: number[] = [];
  for (let at = FIRST; at < LAST; at += HOUR)
    if (offset(at) !== offset(at - HOUR / 2)) found.push(at);
    else if (offset(at + HOUR / 2) !== offset(at)) found.push(at + HOUR / 2);
  return found.length > 0 ? found : [FIRST + 20 * DAY, FIRST + 200 * DAY];
}

/** Sends what an action says, as its visitor's page would, and says what of it can be found in no record. */
async function act(token: string, doing: Action, now: number, changed: boolean): Promise<Visit[]> {
  const { way, language, agent, decision, name, skew } = doing;
  const { languages, keys } = changed ? AFTER : BEFORE;
  const optional = keys.slice(1);
  const version = changed || doing.version === 1 ? doing.version : undefined;
  // A banner asks for the categories of its own settings.
  const asked = (version === undefined ? keys : (version === 1 ? BEFORE : AFTER).keys).slice(1);
  const allowed = doing.allowed.map((index) => asked[index] as string).filter((key) => key !== undefined);
  const choice = Object.fromEntries(asked.map((key) => [key, allowed.includes(key)]));
  const session = { session_id: randomUUID(), ...(language && { language }) };
  const stated = {
    ...session,
    decision: way === 'preferences' ? undefined : decision,
    ...(version !== undefined && { banner_version: version }),
  };
  const at = now + skew * 60_000;
  const category = name === 'category_toggled' ? optional[doing.allowed.length % 3] : undefined;
  const saved = decision === 'save_preferences';
  const event_id = randomUUID();
  const [path, body]: [string, object] = {
    log: [`consents/${token}/log`, { ...stated, ...(saved && { categories: choice }) }] as const,
    preferences: [`preferences/${token}`, { ...stated, categories: choice }] as const,
    ce: [`v/${token}/ce`, { ...stated, event_id, ...(saved && { allowed }) }] as const,
    impression: [`impressions/${token}`, { event_id, ...session }] as const,
    events: [
      `v/${token}/e`,
      {
        event_id,
        ...session,
        events: [{ name, at: new Date(at).toISOString(), ...(category && { category }) }],
      },
    ] as const,
  }[way] as [string, object];
  const repeatable = ['ce', 'impression', 'events'].includes(way);
  for (let times = doing.twice && repeatable ? 2 : 1; times > 0; times -= 1) {
    const { status, text } = await post(server.url, `/api/${path}`, body, { 'User-Agent': agent });
    if (status > 202) throw new Error(`${path}: ${status} ${text}`);
  }
  const counted = language === undefined ? 'de' : languages.includes(language) ? language : 'other';
  const common = { language: counted, banner_version: changed ? 2 : 1, device: deviceOf(agent) };
  if (way === 'impression') return [{ ...common, at: now, kind: 'impression' }];
  if (way === 'events') return [{ ...common, at, kind: 'interaction', name, ...(category && { category }) }];
  return [];
}

test('analytics equal an independent count over the exported records, whatever visitors do', async () => {
  const examine = async ({
    zone,
    moments,
    questions,
  }: typeof history extends fc.Arbitrary<infer V> ? V : never) => {
    const { clocks, changes } = zoneOf(zone);
    const when = (point: Instant): number =>
      'share' in point
        ? Math.round(FIRST + point.share * (LAST - FIRST))
        : (changes[point.change % changes.length] as number) + point.minutes * 60_000 + 12_345;
    const { client, token } = await server.site({ ...settingsOf(BEFORE), time_zone: zone });
    const visits: Visit[] = [];
    const planned = moments
      .map(({ at, actions }) => ({ at: when(at), actions }))
      .sort((a, b) => a.at - b.at)
      // No two at once, so that each is before or after the change of settings.
      .map(({ at, actions }, index) => ({ at: at + index, actions }));
    const half = Math.floor(planned.length / 2);
    for (const [index, { at, actions }] of planned.entries()) {
      if (index === half) {
        jest.useRealTimers();
        await client.updateEnvironment({ token, body: { settings: settingsOf(AFTER) } });
      }
      itIs(at);
      const done = actions.map((doing) => act(token, doing, at, index >= half));
      visits.push(...(await Promise.all(done)).flat());
    }
    jest.useRealTimers();
    const changedAt = planned[half]?.at as number;
    const records = await exportVisits(client, token, (language, at) =>
      (at >= changedAt ? AFTER : BEFORE).languages.includes(language) ? language : 'other',
    );
    const sent = planned.flatMap(({ actions }) => actions);
    expect(records).toHaveLength(sent.filter(({ way }) => !['impression', 'events'].includes(way)).length);
    for (const { interval, ...asked } of questions) {
      const [a, b] = [when(asked.from), when(asked.to)].sort((x, y) => x - y) as [number, number];
      const from = a;
      const to = interval === 'hour' ? Math.min(b + 1, a + 90 * DAY) : b + 1;
      const group_by = interval === 'hour' ? undefined : asked.group_by;
      const query = {
        interval: interval as Interval,
        ...(group_by === undefined ? {} : { group_by: group_by as Dimension }),
      };
      const report = await client.getAnalytics({
        token,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        ...query,
      });
      expect(inOrder(report)).toEqual(
        inOrder(recount([...records, ...visits], clocks, { from, to, ...query })),
      );
    }
  };
  await fc.assert(fc.asyncProperty(history, examine), { numRuns: RUNS, endOnFailure: true });
}, 600_000);
