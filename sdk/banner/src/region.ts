import type { RegionRule } from './contract.js';
import { own } from './own.js';
import { existing, preview } from './page.js';

/** The longest time that a visitor waits for it, in milliseconds. */
const TIMEOUT = 2000;

/**
 * Where the visitor is, when that is known, and what the site may do there before the visitor says anything: nothing
 * until it is known.
 */
export const place: { region?: string; rule: RegionRule } = { __proto__: null, rule: 'opt_in' } as never;

/** Whether the rule is known, or will not be. */
export let isSettled = false;
/** Notes that it is. */
export const settleRule = (): void => {
  isSettled = true;
};

/** Whether the visitor is asked first. */
export const asks = (): boolean => place.rule === 'opt_in';

/**
 * Finds out where the visitor is, and with that the rule: the bundle's own, which its hash covers. Nothing is stored
 * for it but what the browser's cache keeps of the answer. After a failure, or when it takes too long, visitors are
 * asked.
 */
export async function locate(urlOf: (path: string) => string): Promise<void> {
  if (preview) {
    place.rule = own<RegionRule>(existing, 'rule') ?? place.rule;
    return;
  }
  const late = new Promise<void>((resolve) => setTimeout(resolve, TIMEOUT));
  // Not a second question when the answer comes after all: what has been decided by then stays.
  const region = await Promise.race([find(urlOf).catch(() => undefined), late]);
  if (region) Object.assign(place, { region, rule: ruleIn(region) });
}

async function find(urlOf: (path: string) => string): Promise<string | null | undefined> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const answer = await fetch(
    urlOf(`v/*/region${timeZone ? `?time_zone=${encodeURIComponent(timeZone)}` : ''}`),
    {
      credentials: 'omit',
    },
  );
  // The answer of a failure has none.
  return own<string>(own(await answer.json(), 'data'), 'region');
}

/** A state before its country; what is in no list is asked. */
function ruleIn(code: string): RegionRule {
  const lists = config.regions as NonNullable<typeof config.regions>;
  for (const one of [code, code.slice(0, 2)])
    for (const name of ['opt_in', 'opt_out', 'notice'] as const) if (lists[name].includes(one)) return name;
  return 'opt_in';
}
