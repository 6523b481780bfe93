import { allowed, isKnown, isVendorAllowed } from './consent.js';
import type { InteractionName } from './contract.js';
import { doc } from './document.js';
import { h } from './dom.js';
import { cover, covers, uncover } from './frames.js';
import { CATEGORY, drop, SOURCE, VENDOR } from './hold/guard.js';
import { isAuto, isFreeByRule, lettingPass, settleHeld, takeOver } from './hold/keep.js';
import { own } from './own.js';
import { existing, parsed, pause, safely } from './page.js';
import { noteParsed, queue } from './scripts.js';
import { track } from './send.js';
import { askedVendor, vendorOf } from './vendors/asked.js';
import { isLoadedOnce } from './vendors/once.js';

const BLOCKED = `script[type="text/plain"][data-category],[data-category]:not(form):is([data-src],[data-srcset],[data-href])${holds ? `,script[type="text/avow"][${CATEGORY}],:is(iframe,img)[data-avow-src][${CATEGORY}]` : ''}`;
/** Those of them that are work when they come: frames and images that have their source need none. */
const NEW = `${BLOCKED}:not([src])`;
const ATTRIBUTES = ['src', 'srcset', 'href'];
/** How long frames are loaded and emptied before yielding to the page, in milliseconds. */
const BUDGET = 10;

type Root = Document | ShadowRoot;

/** The document, and shadow roots while the page has them: they hide what is in them. */
const roots = new Set<WeakRef<Root>>();

/**
 * Elements that have their blocked attributes, because consent was given. Without holding those that the page has dropped,
 * as applications do with each view.
 */
const released = new WeakSet<Element>();
const known = new Set<WeakRef<Element>>();
const queued = new WeakSet<Element>();
/** Frames that this script has inserted again. */
const replaced = new WeakSet<Node>();
const counted = new Set<string>();
/** Whether the parser may still be adding to a script that is allowed to run. */
let unfinished = false;
let shown = false;

/** The keys of the categories that an element waits for; it needs all of them. */
const categoriesOf = (element: Element): string[] =>
  (
    (holds
      ? (element.getAttribute('data-category') ?? element.getAttribute(CATEGORY) ?? '')
      : element.getAttribute('data-category')) as string
  )
    .trim()
    .split(/\s+/);

const isFree = (element: Element): boolean => {
  if (holds) {
    const free = isFreeByRule(element);
    if (free !== undefined) return free || (byVendor && isLoadedOnce(element));
  }
  if (byVendor) {
    const vendor = vendorOf(element);
    if (vendor) return isLoadedOnce(element) || isVendorAllowed(vendor);
  }
  return categoriesOf(element).every(allowed);
};

/** Starts to block and release elements, including those added later; `changed` is called on each change. */
export function watch(changed: () => void): void {
  if (holds)
    takeOver(({ category, vendor }) => {
      const asked = byVendor && vendor ? askedVendor(`${vendor}`) : undefined;
      return asked ? isVendorAllowed(asked) : allowed(category);
    });
  const concerns = (
    node: Node & { matches?: Element['matches']; querySelector?: Element['querySelector'] },
  ): unknown => {
    try {
      return (
        !replaced.delete(node) &&
        (node.matches?.(holds ? NEW : BLOCKED) || node.querySelector?.(holds ? NEW : BLOCKED))
      );
    } catch {
      // A field of a form may stand in the place of any of its members.
      return node;
    }
  };
  const observer = new MutationObserver((records) => {
    changed();
    if (holds)
      for (const { type, target, attributeName } of records)
        if (type === 'attributes') again(target as Element, attributeName);
    if (unfinished || records.some(({ addedNodes }) => [...addedNodes].some(concerns))) void apply();
  });
  // At each call, because no mutation tells of a new shadow root, or of what changes in one.
  const enter = <One extends Root>(root: One): One => {
    roots.add(new WeakRef(root));
    observer.observe(
      root === doc ? document : root,
      holds
        ? { childList: true, subtree: true, attributeFilter: [CATEGORY, SOURCE, VENDOR] }
        : { childList: true, subtree: true },
    );
    return root;
  };
  const enterAll = (root: Root): void => {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) enterAll(enter(shadowRoot));
  };
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    return enter(attachShadow.call(this, init));
  };
  enter(doc);
  if (doc.readyState === 'loading')
    doc.addEventListener('readystatechange', () => doc.querySelectorAll(BLOCKED).forEach(noteParsed), {
      once: true,
    });
  else own<NodeListOf<Element>>(existing, 'parsed')?.forEach(noteParsed);
  // The last script of a page is followed by nothing that would show that it is complete.
  void parsed.then(() => {
    // The parser makes shadow roots without a call.
    enterAll(doc);
    void apply();
  });
  void apply();
}

/** Starts to show placeholders over blocked frames. Doing so earlier would delay the first paint. */
export function showPlaceholders(): void {
  shown = true;
  void apply();
}

/**
 * Releases or blocks every element by the decision in force, in document order. Resolves when the frames are
 * done, too.
 */
export function apply(): Promise<void> | undefined {
  unfinished = false;
  if (holds) settleHeld(judge);
  each(roots, (root) => root.querySelectorAll(BLOCKED).forEach(judge));
  // The page may insert elements again that it has removed.
  each(known, (element) => element.isConnected || isFree(element) || swap(element, false));
  return framesDone();
}

/** Those that the page still has. */
function each<One extends object>(all: Set<WeakRef<One>>, tell: (one: One) => void): void {
  for (const ref of all) {
    const one = ref.deref();
    if (one) tell(one);
    else all.delete(ref);
  }
}

/** What nobody has marked up says it by its source, which the page can change. */
const isReleased = (element: Element): boolean =>
  isAuto(element) ? element.hasAttribute('src') : released.has(element);

/** The page has given it another source, which may wait for something else, or for nothing. */
function again(element: Element, changed: string | null): void {
  // A field of a form may stand in the place of its own.
  const waits = Element.prototype.matches.call(element, BLOCKED);
  // Its placeholder, which may have the focus, goes on while it waits for the same.
  if (!waits || changed !== SOURCE) uncover(element as HTMLIFrameElement);
  if (waits) judge(element);
}

function judge(element: Element): void {
  const free = isFree(element);
  if (element.localName === 'script') release(element as HTMLScriptElement, free);
  else if (element.localName === 'iframe') queueFrame(element as HTMLIFrameElement, free);
  else swap(element, free);
  count(free ? 'script_released' : 'script_blocked', categoriesOf(element));
}

function release(script: HTMLScriptElement, free: boolean): void {
  if (!free || queued.has(script)) return;
  if (!isComplete(script)) {
    unfinished = true;
    return;
  }
  queued.add(script);
  queue(script, framesDone, () => {
    const still = script.isConnected && isFree(script);
    if (!still) queued.delete(script);
    return still;
  });
}

/** The parser has completed an element once something follows it. */
function isComplete(script: Element): boolean {
  // What is in a shadow root of an element that the page has not inserted yet waits for that.
  if (doc.readyState !== 'loading') return script.isConnected;
  noteParsed(script);
  for (let node: Node | null = script; node; node = node.parentNode) if (node.nextSibling) return true;
  return false;
}

const frames = new Set<HTMLIFrameElement>();
let pending: Promise<void> | undefined;
let running = false;

/** A script after a frame may depend on the frame's content, so it waits for this. */
const framesDone = (): Promise<void> | undefined => (running ? pending : undefined);

function queueFrame(frame: HTMLIFrameElement, free: boolean): void {
  if (free === (holds ? isReleased(frame) : released.has(frame)) && (!shown || free !== covers.has(frame)))
    return;
  frames.add(frame);
  if (!running) pending = processFrames();
}

/** Loading or emptying a frame takes a slow phone long, so this yields to the page between frames. */
async function processFrames(): Promise<void> {
  running = true;
  for (const frame of frames) {
    while (isSpent()) await pause();
    frames.delete(frame);
    safely(() => update(frame));
  }
  running = false;
}

/** When the current task began to work on frames; 0 in a new task. */
let began = 0;

function isSpent(): boolean {
  const now = Date.now();
  if (!began) {
    began = now;
    setTimeout(() => {
      began = 0;
    });
  }
  // Not in a hidden page: timers are throttled there, and nobody is waiting.
  return !doc.hidden && now - began > BUDGET;
}

/** The decision or the page may have changed since the frame was queued. */
function update(frame: HTMLIFrameElement): void {
  if (!frame.matches(BLOCKED)) return;
  const free = isFree(frame);
  swap(frame, free);
  if (free) uncover(frame);
  else if (shown) cover(frame, categoriesOf(frame), () => update(frame));
}

function swap(element: Element, free: boolean): void {
  if (free === (holds ? isReleased(element) : released.has(element))) return;
  if (free) {
    released.add(element);
    known.add(new WeakRef(element));
  } else released.delete(element);
  // Once: with a source that waits for nothing, it loses its marks.
  const prefix = holds && isAuto(element) ? 'avow-' : '';
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(`data-${prefix}${name}`);
    if (value === null) continue;
    if (!free)
      if (holds) drop(element, name);
      else element.removeAttribute(name);
    // Not what would run as a script: sanitizers of what a page's visitors write let it pass in `data-` attributes.
    else if (h('a', { href: value }).protocol !== 'javascript:')
      if (holds && byVendor && prefix && isLoadedOnce(element)) {
        const load = (): void => lettingPass(() => element.setAttribute(name, value));
        load();
        // Firefox empties a frame whose source was taken away late, and so ends what it loads by then.
        element.addEventListener(
          'load',
          () =>
            element.getAttribute(name) === value &&
            (element as HTMLIFrameElement).contentDocument?.URL === 'about:blank' &&
            load(),
          { once: true },
        );
      } else element.setAttribute(name, value);
  }
  if (free || element.localName !== 'iframe' || !element.isConnected) return;
  // Inserted again, the frame is empty, and no history entry leads back to its content.
  replaced.add(element);
  element.replaceWith(element);
}

/** Counts once for each category and page view. */
function count(name: InteractionName, categories: string[]): void {
  for (const category of categories) {
    if (counted.has(name + category) || !isKnown(category)) continue;
    counted.add(name + category);
    track(name, category);
  }
}
