import { doc } from '../document.js';
import { CATEGORY, read, SOURCE, WAITS } from '../hold/guard.js';
import { addressOf, type Find, finder, type Rule } from '../hold/rules.js';
import type { Settings } from './bundle.js';
import type { Load, Purpose, State, Verdict, Waiting } from './report.js';
import { stateAt } from './states.js';
import { bare, MOST, member, text, tried } from './tidy.js';

interface Seen {
  ms: number;
  kind: string;
  url: string;
  /** With its query, which stays here. */
  address: string;
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
      const address = wholeOf(name);
      if (url === undefined || address === undefined) continue;
      if (seen.length < MOST)
        seen.push({ ms: startTime, kind: KINDS[initiatorType] ?? initiatorType, url, address });
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

/** As the banner takes it (`blocking.ts`); scripts that it has let run keep the category alone. */
const MARKED = `script[data-category],[data-category]:not(form):is([data-src],[data-srcset],[data-href]),script[${CATEGORY}],:is(iframe,img)[${SOURCE}][${CATEGORY}]`;
/** Of one address: what is more is contradicting enough. */
const MOST_MARKS = 5;

/** By the page's mark-up, also of elements that are gone by now, and by whole addresses: a query may say whose it is. */
const marked = new Map<string, Purpose[]>();

const marks = (): Element[] => [...doc.querySelectorAll(MARKED)].slice(0, MOST);

function purposeByMarkup(element: Element): Purpose {
  const own = read(element, 'data-category');
  const vendor = Number(read(element, own === null ? 'data-avow-vendor' : 'data-vendor') || Number.NaN);
  return {
    categories: (own ?? read(element, CATEGORY) ?? '').trim().split(/\s+/).slice(0, 20),
    ...(Number.isInteger(vendor) && { vendor }),
    by: own === null ? 'rule' : 'markup',
  };
}

/** The attributes that the banner gives an element when it may load. */
const sourcesOf = (element: Element): string[] =>
  element.localName === 'script'
    ? ['src', 'data-src']
    : read(element, 'data-category') === null
      ? [SOURCE]
      : ['data-src', 'data-href'];

function noteMarks(): void {
  for (const element of marks())
    for (const name of sourcesOf(element)) {
      const url = wholeOf(read(element, name));
      if (url === undefined || (!marked.has(url) && marked.size >= MOST)) continue;
      const purpose = purposeByMarkup(element);
      const known = marked.get(url) ?? [];
      if (known.length < MOST_MARKS && !known.some((one) => isSame(one, purpose)))
        marked.set(url, [...known, purpose]);
    }
}

const isSame = (one: Purpose, other: Purpose): boolean =>
  `${one.categories}` === `${other.categories}` && one.vendor === other.vendor;

/** An address as the browser keeps it of what was loaded. */
function wholeOf(address: string | null): string | undefined {
  const url = address ? addressOf(address) : undefined;
  if (url) url.hash = '';
  return url?.href;
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

/** Says of addresses what they are for, on this site; several answers where the page's mark-up has several. */
function purposesOf(settings: Settings | undefined): (address: string) => Purpose[] {
  noteMarks();
  const byRule = finderOf(settings?.auto_blocking?.rules ?? []);
  const categories = settings?.categories ?? [];
  const isKey = (name: string): boolean => categories.some(({ key }) => key === name);
  /** As the server judges hosts; none where no category stands for the class. */
  const keysOf = (found: string): string[] => {
    if (found === '') return [];
    if (!settings || found === NECESSARY || isKey(found)) return [found];
    const key = categories.find(
      ({ required, google_consent = [] }) => !required && google_consent.includes(GRANTS[found] as string),
    )?.key;
    return key === undefined ? [] : [key];
  };
  return (address) => {
    // Words that are no category of this site are not said to the banner.
    const byMarkup = marked.get(address)?.filter((one) => !settings || one.categories.every(isKey));
    if (byMarkup?.[0]) return byMarkup;
    const listed = known(address) as (Rule & { name: string }) | undefined;
    const name = listed && { name: listed.name };
    const rule = byRule(address);
    if (rule)
      return [
        {
          categories: rule.category === '' ? [] : [rule.category],
          ...(rule.category === '' && { passed: true }),
          ...(rule.vendor !== undefined && { vendor: rule.vendor }),
          ...name,
          by: 'rule',
        },
      ];
    if (listed) return [{ categories: keysOf(listed.category as string), ...name, by: 'known' }];
    return [{ categories: [], by: 'nobody' }];
  };
}

/** The class of known hosts that needs no category. */
const NECESSARY = 'necessary';

const isFree = (settings: Settings | undefined, by: Purpose['by'], key: string): boolean =>
  settings?.categories.some((one) => one.key === key && one.required) ||
  (by === 'known' && key === NECESSARY);

export function isAllowed(state: State, { categories, vendor }: Purpose): boolean {
  const own = vendor === undefined ? undefined : state.vendors?.[vendor];
  return own ?? categories.every((key) => state.categories?.[key] === true);
}

/** Whether the state says so of one that it waits for: what it does not name may be anything. */
function isRefused(state: State, { categories, vendor }: Purpose): boolean {
  const own = vendor === undefined ? undefined : state.vendors?.[vendor];
  return own === undefined ? categories.some((key) => state.categories?.[key] === false) : !own;
}

function judge(purpose: Purpose, state: State, settings: Settings | undefined, kind: string): Verdict {
  const { passed, categories, by } = purpose;
  if (passed) return 'passed';
  if (categories.length === 0) return 'unknown';
  if (categories.every((key) => isFree(settings, by, key))) return 'free';
  if (state.categories === null) return 'unclear';
  if (isAllowed(state, purpose)) return 'allowed';
  // A visitor may have had the content loaded once, which nothing tells.
  const mayBeOnce = kind === 'iframe' && (!settings || settings.asked_vendors !== undefined);
  if (mayBeOnce || !isRefused(state, purpose)) return 'unclear';
  return state.decision === null ? 'before' : 'refused';
}

/**
 * What was loaded from elsewhere, and of the page's own host what it has marked up, with the state of its time.
 * @param server where the banner comes from: what is its own is not listed
 */
export function loadsOf(
  settings: Settings | undefined,
  states: readonly State[],
  server: string | undefined,
): Load[] {
  const purposesAt = purposesOf(settings);
  return seen
    .flatMap(({ address, ...one }) => {
      const purposes = purposesAt(address);
      const { passed: _, ...shown } = purposes[0] as Purpose;
      if (shown.by !== 'markup')
        if (new URL(one.url).hostname === location.hostname || one.url.startsWith(`${server}/`)) return [];
      const state = stateAt(states, one.ms);
      const [verdict = 'unclear', ...others] = new Set(
        purposes.map((purpose) => judge(purpose, state, settings, one.kind)),
      );
      const categories = [...new Set(purposes.flatMap((purpose) => purpose.categories))];
      return [{ ...one, ...shown, categories, verdict: others[0] === undefined ? verdict : 'unclear' }];
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
      url: bare(wholeOf(source ?? null)) ?? '',
      ...purposeByMarkup(element),
    });
  }
  return [...found.values()];
}
