import { allowed } from './consent.js';
import type { InteractionName } from './contract.js';
import { cover, uncover } from './frames.js';
import { pause } from './page.js';
import { queue } from './scripts.js';
import { track } from './send.js';

const BLOCKED =
  'script[type="text/plain"][data-category],[data-category]:is([data-src],[data-srcset],[data-href])';
const ATTRIBUTES = ['src', 'srcset', 'href'];

/** Elements that hold what their `data-` attributes say. */
const released = new Set<Element>();
const queued = new WeakSet<Element>();
/** Frames that wait for their turn. */
const frames = new Set<HTMLIFrameElement>();
const told = new Set<string>();
/** Whether the parser may still be writing into a script that we would run. */
let unfinished = false;
let shown = false;

/** Names of the categories that an element waits for; all of them are needed. */
export const categoriesOf = (element: Element): string[] =>
  (element.getAttribute('data-category') as string).trim().split(/\s+/);

const isFree = (element: Element): boolean => categoriesOf(element).every(allowed);

/** Blocks and releases from now on, also what is added later. */
export function watch(): void {
  new MutationObserver((records) => {
    const concerns = (node: Node): boolean =>
      node instanceof Element && (node.matches(BLOCKED) || node.querySelector(BLOCKED) !== null);
    if (unfinished || records.some(({ addedNodes }) => [...addedNodes].some(concerns))) apply();
  }).observe(document, { childList: true, subtree: true });
  apply();
}

/** From now on blocked frames say what they wait for: earlier it would hold up the first paint. */
export function showPlaceholders(): void {
  shown = true;
  apply();
}

/** Brings every element in line with what is allowed now, in document order. */
export function apply(): void {
  unfinished = false;
  for (const element of document.querySelectorAll(BLOCKED)) {
    const wanted = categoriesOf(element);
    const free = isFree(element);
    if (element.localName === 'script') release(element as HTMLScriptElement, free);
    else if (element.localName !== 'iframe') swap(element, free);
    else if (free !== released.has(element)) void queueFrame(element as HTMLIFrameElement);
    if (shown && element.localName === 'iframe' && !free) cover(element as HTMLIFrameElement, wanted);
    count(free ? 'script_released' : 'script_blocked', wanted);
  }
}

function release(script: HTMLScriptElement, free: boolean): void {
  if (!free || queued.has(script)) return;
  if (!isComplete(script)) {
    unfinished = true;
    return;
  }
  queued.add(script);
  queue(script, () => {
    const still = isFree(script);
    if (!still) queued.delete(script);
    return still;
  });
}

/** The parser is past it when something follows it. */
function isComplete(script: Element): boolean {
  if (document.readyState !== 'loading') return true;
  for (let node: Node | null = script; node; node = node.parentNode) if (node.nextSibling) return true;
  return false;
}

/** Each frame has a task of its own: to load or to empty one keeps a slow phone busy. */
async function queueFrame(frame: HTMLIFrameElement): Promise<void> {
  if (frames.add(frame).size > 1) return;
  for (const next of frames) {
    await pause();
    // The decision or the page may have changed meanwhile.
    if (next.matches(BLOCKED)) swap(next, isFree(next));
    frames.delete(next);
  }
}

function swap(element: Element, free: boolean): void {
  if (free === released.has(element)) return;
  if (free) released.add(element);
  else released.delete(element);
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(`data-${name}`);
    if (value === null) continue;
    if (free) element.setAttribute(name, value);
    else element.removeAttribute(name);
  }
  if (element.localName !== 'iframe') return;
  if (free) uncover(element as HTMLIFrameElement);
  // Put in again it is empty, and no entry in the history leads back to what it showed.
  else element.replaceWith(element);
}

/** Once for each category and page view. */
function count(name: InteractionName, categories: string[]): void {
  for (const category of categories) {
    if (told.has(name + category) || !config.categories.some(({ key }) => key === category)) continue;
    told.add(name + category);
    track(name, category);
  }
}
