import { doc } from '../document.js';
import { CATEGORY, read, SOURCE, WAITS } from '../hold/guard.js';
import { type Find, finder, type Rule } from '../hold/rules.js';
import type { Settings } from './bundle.js';
import type { Load, Purpose, State, Verdict, Waiting } from './report.js';
import { stateAt } from './states.js';
import { bare, MOST, member, text, tried } from './tidy.js';

interface Seen {
  ms: number;
  kind: string;
  url: string;
}

const KINDS: Record<string, string> = { xmlhttprequest: 'xhr', ping: 'beacon', link: 'link', css: 'css' };
/** What a browser keeps of the time before anybody looks, unless the page has asked for more. */
const KEPT = 250;

const seen: Seen[] = [];
let left = 0;
let mayLack = false;

/** Takes note of everything that the page loads, and has loaded. */
export function watchLoads(changed: () => void): void {
  mayLack = performance.getEntriesByType('resource').length >= KEPT;
  new PerformanceObserver((list) => {
    for (const { name, startTime, initiatorType } of list.getEntries() as PerformanceResourceTiming[]) {
      const url = bare(name);
      if (url === undefined) continue;
      if (seen.length < MOST) seen.push({ ms: startTime, kind: KINDS[initiatorType] ?? initiatorType, url });
      else left += 1;
    }
    changed();
  }).observe({ type: 'resource', buffered: true });
}

export const loadsLeft = (): string[] => [
  ...(left ? [`${left} loaded addresses after the first ${MOST}`] : []),
  ...(mayLack
    ? [
        `The browser had kept ${KEPT} addresses or more when the panel was opened, and may have dropped others`,
      ]
    : []),
];

const MARKED = `[data-category],[${CATEGORY}]`;

/** By the page's mark-up, also of elements that are gone by now. */
const marked = new Map<string, Purpose>();

const marks = (): Element[] => [...doc.querySelectorAll(MARKED)].slice(0, MOST);

function purposeByMarkup(element: Element): Purpose {
  const own = read(element, 'data-category');
  const vendor = Number(read(element, own === null ? 'data-avow-vendor' : 'data-vendor') ?? Number.NaN);
  return {
    categories: (own ?? read(element, CATEGORY) ?? '').trim().split(/\s+/).slice(0, 20),
    ...(Number.isInteger(vendor) && { vendor }),
    by: own === null ? 'rule' : 'markup',
  };
}

function noteMarks(): void {
  for (const element of marks())
    for (const name of ['src', 'data-src', 'href', 'data-href', SOURCE]) {
      const source = read(element, name);
      const url = source === null ? undefined : bare(new URL(source, doc.baseURI));
      if (url !== undefined && (marked.has(url) || marked.size < MOST))
        marked.set(url, purposeByMarkup(element));
    }
}

/** Where a rule says what an address is for; one that lets pass has an empty category. */
const finderOf = (rules: readonly Rule[]): Find =>
  finder(rules.map((rule) => (rule.category === null ? { ...rule, category: '' } : rule)));

const known = finder(
  KNOWN_HOSTS.map(([name, category, hosts]) => ({ category, hosts, name })) as readonly Rule[],
);

/** What stands for a class of known hosts where no category of the site has its name. */
const GRANTS: Record<string, string> = {
  analytics: 'analytics_storage',
  marketing: 'ad_storage',
  functional: 'functionality_storage',
};

/** Says of addresses what they are for, on this site. */
export function purposesOf(settings: Settings | undefined): (url: string) => Purpose {
  noteMarks();
  const byRule = finderOf(settings?.auto_blocking?.rules ?? []);
  const keyOf = (found: string): string =>
    settings?.categories.some(({ key }) => key === found)
      ? found
      : (settings?.categories.find(
          ({ required, google_consent = [] }) =>
            !required && google_consent.includes(GRANTS[found] as string),
        )?.key ?? found);
  return (url) => {
    const byMarkup = marked.get(url);
    if (byMarkup) return byMarkup;
    const listed = known(url) as (Rule & { name: string }) | undefined;
    const name = listed && { name: listed.name };
    const rule = byRule(url);
    if (rule)
      return {
        categories: rule.category === '' ? [] : [rule.category],
        ...(rule.category === '' && { passed: true }),
        ...(rule.vendor !== undefined && { vendor: rule.vendor }),
        ...name,
        by: 'rule',
      };
    if (listed) return { categories: [keyOf(listed.category as string)], ...name, by: 'known' };
    return { categories: [], by: 'nobody' };
  };
}

const isRequired = (settings: Settings | undefined, key: string): boolean =>
  settings?.categories.find((one) => one.key === key)?.required ?? key === 'necessary';

export function isAllowed(state: State, { categories, vendor }: Purpose): boolean {
  const own = vendor === undefined ? undefined : state.vendors?.[vendor];
  return own ?? categories.every((key) => state.categories?.[key] === true);
}

function judge(purpose: Purpose, state: State, settings: Settings | undefined): Verdict {
  if (purpose.passed) return 'passed';
  if (purpose.by === 'nobody') return 'unknown';
  if (purpose.categories.every((key) => isRequired(settings, key))) return 'free';
  if (state.categories === null) return 'unclear';
  if (isAllowed(state, purpose)) return 'allowed';
  return state.decision === null ? 'before' : 'refused';
}

/** What was loaded from elsewhere, and of the page's own host what it has marked up, with the state of its time. */
export function loadsOf(
  settings: Settings | undefined,
  states: readonly State[],
  server: string | undefined,
): Load[] {
  const purposeOf = purposesOf(settings);
  return seen
    .flatMap((one) => {
      const { origin, hostname } = new URL(one.url);
      if (origin === server) return [];
      const purpose = purposeOf(one.url);
      if (hostname === location.hostname && purpose.by !== 'markup') return [];
      const { passed: _, ...shown } = purpose;
      return [{ ...one, ...shown, verdict: judge(purpose, stateAt(states, one.ms), settings) }];
    })
    .sort((one, other) => one.ms - other.ms);
}

const WAITING = `script[type="text/plain"],script[type="${WAITS}"],[data-src]:not([src]),[data-href]:not([href]),[data-srcset]:not([srcset]),[${SOURCE}]:not([src])`;

/** What waits now: by the page's mark-up, and by `Avow.held()`. */
export function heldOf(now: State): Waiting[] {
  const found = new Map<string, Waiting>();
  const add = (one: Waiting): void => {
    const key = `${one.kind} ${one.url} ${one.categories}`;
    if (found.size < MOST && !isAllowed(now, one)) found.set(key, one);
  };
  const held = tried(() => (member(window.Avow, 'held') as () => unknown)());
  for (const one of Array.isArray(held) ? held.slice(0, MOST) : []) {
    const vendor = member(one, 'vendor');
    if (member(one, 'released') !== true)
      add({
        kind: text(member(one, 'kind'), 20) ?? '',
        url: bare(member(one, 'url')) ?? '',
        categories: [text(member(one, 'category'), 60) ?? ''],
        ...(typeof vendor === 'number' && { vendor }),
        by: 'rule',
      });
  }
  const { matches } = Element.prototype;
  for (const element of marks()) {
    if (!matches.call(element, WAITING)) continue;
    const source = ['src', 'data-src', 'data-href', SOURCE].map((name) => read(element, name)).find(Boolean);
    add({
      kind: element.localName,
      url: source ? (bare(source) ?? '') : '',
      ...purposeByMarkup(element),
    });
  }
  return [...found.values()];
}
