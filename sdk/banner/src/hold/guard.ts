import { addressOf, type Find, finder, type Rule, type Waits } from './rules.js';

/** Something of the page that waits, or has waited, for a category. */
export interface HeldOne {
  kind: 'script' | 'iframe' | 'img' | 'fetch' | 'xhr' | 'beacon';
  /** Without query and fragment. */
  url: string;
  rule: Waits;
}

/** A request of the page that waits. */
export interface Request {
  url: unknown;
  rule: Waits;
  send(): void;
  refuse(): void;
}

/** What stub and script share. Earlier stubs hand it to later scripts: members are only ever added. */
export interface Hold {
  find: Find;
  learn(rules: readonly Rule[]): void;
  /** Whether what waits by a rule is allowed now; never before the script runs. */
  free(rule: Waits): boolean;
  /** Whether the visitor has decided, so that what is not allowed is refused. */
  decided: boolean;
  /** Scripts that a script of the page made: they can run where they are. */
  made: WeakSet<Element>;
  /** Images that no document has: beacons, mostly. */
  loose: Set<Element>;
  requests: Set<Request>;
  report: HeldOne[];
  tell(one: HeldOne): void;
  /** The rule by which something waits now, if it does; takes note of it. */
  held(kind: HeldOne['kind'], address: unknown): Waits | undefined;
}

/** What is remembered of a page, so that none fills the visitor's memory. */
export const MOST = 200;
/** The types of scripts that browsers run. */
const RUNS = /^(module)?$|(java|ecma)script/i;

export function hold(rules: readonly Rule[]): Hold {
  const known = new Set<string>();
  const shared: Hold = {
    find: finder(rules),
    learn: (next) => {
      shared.find = finder(next);
    },
    free: () => false,
    decided: false,
    made: new WeakSet(),
    loose: new Set(),
    requests: new Set(),
    report: [],
    tell: () => undefined,
    held: (kind, address) => {
      const rule = shared.find(address);
      if (!rule || shared.free(rule)) return;
      const { origin, pathname } = addressOf(address) as URL;
      const url = (origin + pathname).slice(0, 500);
      if (shared.report.length < MOST && !known.has(kind + url)) {
        known.add(kind + url);
        const one = { kind, url, rule };
        shared.report.push(one);
        shared.tell(one);
      }
      return rule;
    },
  };
  return shared;
}

const { getAttribute, setAttribute, toggleAttribute } = Element.prototype;
export const read = (element: Element, name: string): string | null => getAttribute.call(element, name);
/** Not again: who observes the page sees each time. */
export const set = (element: Element, name: string, value: string): void => {
  if (read(element, name) !== value) setAttribute.call(element, name, value);
};
/** Not as the page does it, who means to be rid of its source. */
export const drop = (element: Element, name: string): unknown => toggleAttribute.call(element, name, false);

/** Names of its own: `data-src`, `data-type` and `data-category` are the page's. What copies them waits, too. */
export const CATEGORY = 'data-avow-category';
export const SOURCE = 'data-avow-src';
export const TYPE = 'data-avow-type';
export const VENDOR = 'data-avow-vendor';
/** The type of scripts that wait. */
export const WAITS = 'text/avow';

type Kind = 'script' | 'iframe' | 'img';
const kindOf = (element: Element): Kind | false =>
  element instanceof HTMLElement &&
  /^(script|iframe|img)$/.test(element.localName) &&
  (element.localName as Kind);

/** The rule that names the source of an element. */
export const ruleOf = (guard: Hold, element: Element): Waits | undefined =>
  guard.find(read(element, SOURCE) ?? read(element, 'src'));

/** Whether an element waits that nobody has marked up, and its own markup is not in force. */
export const isHeld = (guard: Hold, element: Element): boolean => {
  // One that has both is loaded.
  if (!read(element, CATEGORY) || (read(element, SOURCE) && read(element, 'src'))) return false;
  const rule = ruleOf(guard, element);
  return !!rule && !guard.free(rule);
};

/** Says on an element what it waits for. */
export function label(element: Element, { category, vendor }: Waits): void {
  set(element, CATEGORY, category);
  (vendor ? set : drop)(element, VENDOR, `${vendor}`);
}

/**
 * Makes an element wait by its attributes, if it must; true: its source is not to be set. What is loaded because it is
 * allowed has them, too: it may have to wait later. What is loaded already `stays` so, until the script has judged it.
 */
export function mark(guard: Hold, element: Element, source: string, stays?: boolean): boolean {
  const kind = kindOf(element);
  if (!kind) return false;
  const isScript = kind === 'script';
  const type = read(element, 'type');
  const isMarked = isScript ? type === WAITS : read(element, SOURCE);
  // What the page says itself holds, also of a script that waits already.
  const isOwn = read(element, 'data-category') !== null;
  if (isScript && (isMarked ? isOwn : type && !RUNS.test(type.trim()))) return false;
  const rule = isOwn ? undefined : guard.find(source);
  const waits = !!rule && !!guard.held(kind, source);
  if (!rule || (isScript && !waits)) {
    if (isMarked) unmark(element);
    return false;
  }
  label(element, rule);
  if (isScript) {
    if (!isMarked && type !== null) set(element, TYPE, type);
    set(element, 'type', WAITS);
    return false;
  }
  set(element, SOURCE, source);
  if (waits && !stays) drop(element, 'src');
  return waits;
}

/** The page has given it another source, or none. */
export function unmark(element: Element): void {
  const type = read(element, TYPE);
  if (type !== null) set(element, 'type', type);
  else if (element instanceof HTMLScriptElement) drop(element, 'type');
  for (const name of [CATEGORY, VENDOR, SOURCE, TYPE]) drop(element, name);
}
