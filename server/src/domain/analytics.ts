import type { CategoryRate, DecisionCounts } from './types';

/** One sum of counts: of what, and how many. */
export interface Sum {
  metric: string;
  key: string;
  n: number;
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Counts and rates of what was summed. Nothing is divided by nothing: a rate without its base is null. */
export function decisionCounts(sums: readonly Sum[]): DecisionCounts {
  const of = (metric: string, key = ''): number =>
    sums.reduce((total, sum) => (sum.metric === metric && sum.key === key ? total + sum.n : total), 0);
  const impressions = of('impression');
  const accept_all = of('decision', 'accept_all');
  const reject_all = of('decision', 'reject_all');
  const save_preferences = of('decision', 'save_preferences');
  const opted_in = of('opted_in');
  const decisions = accept_all + reject_all + save_preferences;
  const no_choice = Math.max(0, impressions - decisions);
  return {
    impressions,
    decisions,
    accept_all,
    reject_all,
    save_preferences,
    opted_in,
    opt_in_rate: ratio(opted_in, decisions),
    reject_rate: ratio(reject_all, decisions),
    no_choice,
    no_choice_rate: ratio(no_choice, impressions),
  };
}

/** How often each category was accepted, by its key. */
export function categoryRates(sums: readonly Sum[]): CategoryRate[] {
  const rates = new Map<string, { granted: number; refused: number }>();
  for (const { metric, key, n } of sums) {
    if (metric !== 'granted' && metric !== 'refused') continue;
    const rate = rates.get(key) ?? { granted: 0, refused: 0 };
    rate[metric] += n;
    rates.set(key, rate);
  }
  return [...rates]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, { granted, refused }]) => ({
      category,
      granted,
      refused,
      opt_in_rate: ratio(granted, granted + refused),
    }));
}

/** How often each interaction was counted. */
export function interactionCounts(
  sums: readonly Sum[],
): { name: string; category: string | null; count: number }[] {
  return sums
    .filter(({ metric }) => metric === 'interaction')
    .map(({ key, n }) => {
      const [name = '', category] = key.split(':');
      return { name, category: category ?? null, count: n };
    })
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

export type Device = 'desktop' | 'mobile' | 'tablet' | 'bot' | 'unknown';

/** The device class of a User-Agent header; deliberately coarse, for counts only. */
export function deviceClass(userAgent: string | undefined): Device {
  if (!userAgent) return 'unknown';
  if (/bot\b|crawl|spider|slurp|headless/i.test(userAgent)) return 'bot';
  if (/iPad|Tablet|PlayBook|Silk/i.test(userAgent) || isAndroidTablet(userAgent)) return 'tablet';
  if (/Mobi|iPhone|iPod|Android/i.test(userAgent)) return 'mobile';
  if (/Windows|Macintosh|X11|Linux|CrOS/i.test(userAgent)) return 'desktop';
  return 'unknown';
}

/** The agent of a scan's browser: the banner that it sees is not counted as shown. */
export const SCAN_AGENT = 'Avow-Scan';
export const isScan = (userAgent: string | null | undefined): boolean =>
  userAgent?.includes(SCAN_AGENT) === true;

/** Android phones say Mobile, tablets do not. */
function isAndroidTablet(userAgent: string): boolean {
  const text = userAgent.toLowerCase();
  return text.lastIndexOf('android') > text.lastIndexOf('mobile');
}
