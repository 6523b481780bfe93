import { allowed } from './consent.js';
import type { InteractionName } from './contract.js';
import { cover, isCovered, uncover } from './frames.js';
import { pause, safely } from './page.js';
import { queue } from './scripts.js';
import { track } from './send.js';

const BLOCKED =
  'script[type="text/plain"][data-category],[data-category]:is([data-src],[data-srcset],[data-href])';
const ATTRIBUTES = ['src', 'srcset', 'href'];
/** How long frames may be loaded and emptied before yielding to the page, in milliseconds. */
const BUDGET = 10;

/** Elements with `data-` attributes that block them until consent. */
const released = new Set<Element>();
const queued = new WeakSet<Element>();
/** Frames that we have put in again ourselves. */
const replaced = new WeakSet<Node>();
const told = new Set<string>();
/** Whether the parser may still be adding to a script that we would run. */
let unfinished = false;
let shown = false;

/** Names of the categories that an element waits for; all of them are needed. */
const categoriesOf = (element: Element): string[] =>
  (element.getAttribute('data-category') as string).trim().split(/\s+/);

const isFree = (element: Element): boolean => categoriesOf(element).every(allowed);

/** Starts to block and release elements, including those added later. */
export function watch(): void {
  const concerns = (node: Node): boolean =>
    !replaced.delete(node) &&
    node instanceof Element &&
    (node.matches(BLOCKED) || node.querySelector(BLOCKED) !== null);
  new MutationObserver((records) => {
    if (unfinished || records.some(({ addedNodes }) => [...addedNodes].some(concerns))) void apply();
  }).observe(document, { childList: true, subtree: true });
  // Nothing follows the last script of a page.
  document.addEventListener('DOMContentLoaded', () => void apply());
  void apply();
}

/** Starts to show placeholders over blocked frames; doing so earlier would delay the first paint. */
export function showPlaceholders(): void {
  shown = true;
  void apply();
}

/**
 * Brings every element in line with what is allowed now, in document order. Resolves when the frames are,
 * too.
 */
export function apply(): Promise<void> | undefined {
  unfinished = false;
  for (const element of document.querySelectorAll(BLOCKED)) {
    const free = isFree(element);
    if (element.localName === 'script') release(element as HTMLScriptElement, free);
    else if (element.localName === 'iframe') queueFrame(element as HTMLIFrameElement, free);
    else swap(element, free);
    count(free ? 'script_released' : 'script_blocked', categoriesOf(element));
  }
  // Elements that the page has removed and may insert again.
  for (const element of released) if (!element.isConnected && !isFree(element)) swap(element, false);
  return framesDone();
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

/** The parser has finished an element once something follows it. */
function isComplete(script: Element): boolean {
  if (document.readyState !== 'loading') return true;
  for (let node: Node | null = script; node; node = node.parentNode) if (node.nextSibling) return true;
  return false;
}

const frames = new Set<HTMLIFrameElement>();
let turns: Promise<void> | undefined;
let running = false;

/** A script after a frame may depend on the frame's content. */
const framesDone = (): Promise<void> | undefined => (running ? turns : undefined);

function queueFrame(frame: HTMLIFrameElement, free: boolean): void {
  if (free === released.has(frame) && (!shown || free !== isCovered(frame))) return;
  frames.add(frame);
  if (!running) turns = takeTurns();
}

/** Loading or emptying a frame keeps a slow phone busy: yield to the page in between. */
async function takeTurns(): Promise<void> {
  running = true;
  for (const frame of frames) {
    while (isSpent()) await pause();
    frames.delete(frame);
    safely(() => bring(frame));
  }
  running = false;
}

/** When this task began to work on frames. */
let began = 0;

function isSpent(): boolean {
  const now = Date.now();
  if (!began) {
    began = now;
    setTimeout(() => {
      began = 0;
    });
  }
  // Timers are throttled in a hidden page, where nobody waits.
  return !document.hidden && now - began > BUDGET;
}

/** The decision or the page may have changed since it was queued. */
function bring(frame: HTMLIFrameElement): void {
  if (!frame.matches(BLOCKED)) return;
  const free = isFree(frame);
  swap(frame, free);
  if (free) uncover(frame);
  else if (shown) cover(frame, categoriesOf(frame), () => bring(frame));
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
  if (free || element.localName !== 'iframe' || !element.isConnected) return;
  // Inserted again it is empty, and no history entry leads back to its content.
  replaced.add(element);
  element.replaceWith(element);
}

/** Once for each category and page view. */
function count(name: InteractionName, categories: string[]): void {
  for (const category of categories) {
    if (told.has(name + category) || !config.categories.some(({ key }) => key === category)) continue;
    told.add(name + category);
    track(name, category);
  }
}
