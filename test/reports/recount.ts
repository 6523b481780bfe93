/**
 * Counts a site's visits again, one by one, with nothing of the product: its days and hours are those that
 * `Intl` says, its ranges are walked quarter by quarter, its rates are divided here.
 */

/** Something that a visitor did. */
export interface Visit {
  at: number;
  kind: 'decision' | 'impression' | 'interaction';
  /** Of a decision. */
  decision?: string;
  categories?: Record<string, boolean>;
  /** Of an interaction. */
  name?: string;
  category?: string;
  /** As reports name it. */
  language: string;
  banner_version: number;
  device: string;
}

export type Interval = 'hour' | 'day' | 'week' | 'month';
export type Dimension = 'language' | 'banner_version' | 'device';

const QUARTER = 900_000;
const DAY = 86_400_000;

/** What the clocks of a zone show. */
export class Clocks {
  private readonly format: Intl.DateTimeFormat;
  private readonly shown = new Map<number, { day: string; hour: string }>();

  constructor(readonly zone: string) {
    const two = '2-digit' as const;
    this.format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      timeZoneName: 'longOffset',
    });
  }

  /** The day, and the hour with its offset, so that an hour which comes twice is two. */
  show(at: number): { day: string; hour: string } {
    const quarter = Math.floor(at / QUARTER);
    let shown = this.shown.get(quarter);
    if (shown === undefined) {
      const hour = this.format.format(quarter * QUARTER);
      shown = { day: hour.slice(0, 10), hour };
      this.shown.set(quarter, shown);
    }
    return shown;
  }

  day = (at: number): string => this.show(at).day;

  /** The first instant that shows the same as this one. */
  private begin(at: number, what: 'day' | 'hour'): number {
    let first = Math.floor(at / QUARTER) * QUARTER;
    while (this.show(first - 1)[what] === this.show(at)[what]) first -= QUARTER;
    return first;
  }

  startOfHour = (at: number): number => this.begin(at, 'hour');

  startOfDay(day: string): number {
    let at = Date.parse(`${day}T12:00:00Z`);
    while (this.day(at) < day) at += DAY / 4;
    while (this.day(at) > day) at -= DAY / 4;
    return this.begin(at, 'day');
  }
}

export const plusDays = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

function pointOf(day: string, interval: Interval): string {
  if (interval === 'month') return `${day.slice(0, 8)}01`;
  if (interval === 'day') return day;
  const date = new Date(`${day}T00:00:00Z`);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

export function countsOf(visits: readonly Visit[]) {
  const decisions = visits.filter(({ kind }) => kind === 'decision');
  const of = (kind: string) => decisions.filter(({ decision }) => decision === kind).length;
  const impressions = visits.filter(({ kind }) => kind === 'impression').length;
  const opted_in = decisions.filter(({ categories = {} }) => Object.values(categories).some(Boolean)).length;
  const no_choice = impressions > decisions.length ? impressions - decisions.length : 0;
  return {
    impressions,
    decisions: decisions.length,
    accept_all: of('accept_all'),
    reject_all: of('reject_all'),
    save_preferences: of('save_preferences'),
    opted_in,
    opt_in_rate: share(opted_in, decisions.length),
    reject_rate: share(of('reject_all'), decisions.length),
    no_choice,
    no_choice_rate: share(no_choice, impressions),
  };
}

export function ratesOf(visits: readonly Visit[]) {
  const choices = visits.flatMap(({ categories = {} }) => Object.entries(categories));
  return [...new Set(choices.map(([key]) => key))].sort().map((category) => {
    const own = choices.filter(([key]) => key === category);
    const granted = own.filter(([, allowed]) => allowed).length;
    return {
      category,
      granted,
      refused: own.length - granted,
      opt_in_rate: share(granted, own.length),
    };
  });
}

function interactionsOf(visits: readonly Visit[]) {
  const counts = new Map<string, { name: string; category: string | null; count: number }>();
  for (const { kind, name = '', category = null } of visits) {
    if (kind !== 'interaction') continue;
    const found = counts.get(`${name} ${category}`) ?? { name, category, count: 0 };
    found.count += 1;
    counts.set(`${name} ${category}`, found);
  }
  return [...counts.values()];
}

const by = (visits: readonly Visit[], dimension: Dimension) =>
  [...new Set(visits.map((visit) => String(visit[dimension])))].map((key) => ({
    key,
    visits: visits.filter((visit) => String(visit[dimension]) === key),
  }));

/** What a report must say. `from` and `to` as they are asked for. Lists in no order. */
export function recount(
  visits: readonly Visit[],
  clocks: Clocks,
  question: { from: number; to: number; interval: Interval; group_by?: Dimension },
) {
  const { interval, group_by } = question;
  const first = clocks.day(question.from);
  const last = clocks.day(question.to - 1);
  const days: string[] = [];
  for (let day = first; day <= last; day = plusDays(day, 1)) days.push(day);
  const between = (least: string, most: string) =>
    visits.filter(({ at }) => clocks.day(at) >= least && clocks.day(at) <= most);
  const inside = between(first, last);
  const before = between(plusDays(first, -days.length), plusDays(first, -1));
  const from = clocks.startOfDay(first);
  const to = clocks.startOfDay(plusDays(last, 1));
  const starts = new Set<number>();
  if (interval === 'hour') for (let at = from; at < to; at += QUARTER) starts.add(clocks.startOfHour(at));
  else for (const day of days) starts.add(clocks.startOfDay(pointOf(day, interval)));
  const startOf = (at: number) =>
    interval === 'hour' ? clocks.startOfHour(at) : clocks.startOfDay(pointOf(clocks.day(at), interval));
  const series = (own: readonly Visit[]) => {
    const points = new Map([...starts].map((start) => [start, [] as Visit[]]));
    for (const visit of own) points.get(startOf(visit.at))?.push(visit);
    return [...points].map(([start, of]) => ({
      start: new Date(start).toISOString(),
      ...countsOf(of),
      categories: ratesOf(of),
    }));
  };
  const breakdown = (dimension: Dimension) =>
    by(inside, dimension).map((group) => ({ key: group.key, ...countsOf(group.visits) }));
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    time_zone: clocks.zone,
    interval,
    totals: countsOf(inside),
    categories: ratesOf(inside),
    interactions: interactionsOf(inside),
    previous: {
      from: new Date(clocks.startOfDay(plusDays(first, -days.length))).toISOString(),
      to: new Date(from).toISOString(),
      ...countsOf(before),
    },
    series: series(inside),
    groups:
      group_by === undefined
        ? []
        : by(inside, group_by).map(({ key, visits: own }) => ({ key, series: series(own) })),
    by_language: breakdown('language'),
    by_banner_version: breakdown('banner_version'),
    by_device: breakdown('device'),
  };
}

type Report = ReturnType<typeof recount>;

/** The same report with its lists in one order: which of two equals comes first says nothing. */
export function inOrder<Some extends Pick<Report, 'interactions' | 'groups'>>(report: Some): Some {
  const byText = (list: readonly object[]) =>
    [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const { interactions, groups, ...rest } = report;
  const breakdowns = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      name.startsWith('by_') ? byText(value as object[]) : value,
    ]),
  );
  return { ...breakdowns, interactions: byText(interactions), groups: byText(groups) } as unknown as Some;
}
