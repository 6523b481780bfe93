import type { AvowBanner, AvowCall } from '../../src/banner.js';
import { onAnswer } from './answer.js';
import { createApi } from './api.js';
import { showPlaceholders, watch } from './blocking.js';
import { allowed, consent } from './consent.js';
import { deleteCookies } from './cookies.js';
import { decide, follow, keep, obey, recall } from './decide.js';
import { emit } from './events.js';
import { install as installGpp } from './gpp/cmp.js';
import { KEY } from './memory.js';
import { isTold, NOTICE } from './notice.js';
import { own } from './own.js';
import { existing, gpc, parsed, preview } from './page.js';
import { locate } from './region.js';
import { flush, sendOnLeave, urlOf } from './send.js';
import { install, settle as settleTcf } from './tcf/cmp.js';
import { hide, restore, settle, show } from './view.js';
import { takeOut } from './with-links/address.js';
import { arrived, takeOver } from './with-links/arrive.js';
import { takeAlong } from './with-links/leave.js';

/**
 * Sets default signals and blocks elements before any script of the page runs. The rest waits for the first
 * paint.
 */
function start(): void {
  const token = linked ? takeOut() : undefined;
  onAnswer((...args) => {
    decide(...args);
    void hide(true);
  });
  if (tcf) install();
  if (gpp) installGpp();
  recall();
  if (tcf && !regional) settleTcf(true);
  const recalled = consent()?.recorded_at;
  watch(restore);
  const bring = async (): Promise<unknown> => token && takeOver(token).catch(() => 0);
  // What the rule would let run waits for what a link brings.
  const located = regional ? (linked ? locate(urlOf).then(bring) : locate(urlOf)).then(obey) : undefined;
  if (linked) {
    takeAlong();
    if (!regional) void bring();
  }
  let ready = false;
  const painted = parsed.then(() => {
    ready = true;
    const now = consent();
    emit('ready', now);
    // If a queued call made the decision, the page has been notified already.
    if (now && now.recorded_at === recalled) emit('consent', now);
    return paint();
  });
  const begun = regional ? Promise.all([painted, located]).then(() => undefined) : painted;
  void begun.then(appear);
  const api = createApi(begun, () => ready);
  window.Avow = api as AvowBanner;
  api.push(...(Array.isArray(existing) ? (existing as AvowCall[]) : []));
  sendOnLeave();
  followOtherTabs(begun);
}

/** Resolves after the next frame. A page in the background gets its first frame when it becomes visible. */
const paint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));

async function appear(): Promise<void> {
  // The visitor may have decided in another tab while this page was prerendered, cached or in the background.
  if (follow()) void hide();
  if (linked && !consent()) await arrived;
  if (consent()) {
    deleteCookies(allowed);
    // Some browsers delete after seven days what a script has set.
    if (shares) keep();
    void flush();
  } else await ask();
  // Needed when the first layer was cancelled before it appeared.
  await settle();
  // Waits a frame, so that a slow phone does not lay out banner and placeholders in the same one.
  await paint();
  showPlaceholders();
}

function ask(): Promise<void> | undefined {
  if (regional && isTold() && !gpc()) return;
  // The signal refuses everything optional, but the visitor may still choose.
  if (gpc() && !preview) decide('reject_all', 'gpc');
  return show('banner', gpc());
}

/** A decision in one tab holds in all tabs, and on all subdomains that share it. */
function followOtherTabs(begun: Promise<unknown>): void {
  const look = (): void => {
    if (!follow()) return;
    // Stored here, too: the cookie may go before the page.
    if (shares) keep();
    // The settings as well: their switches show what was allowed before.
    void hide();
  };
  // No event tells of another subdomain's decision.
  if (shares) {
    addEventListener('visibilitychange', look);
    // The press that brought the window to the front may be an answer: it comes first.
    addEventListener('focus', () => setTimeout(look, 500));
  }
  addEventListener('storage', ({ key }) => {
    // `follow` ignores changes of the list of unsent decisions.
    if (key === KEY) look();
    if (regional && key === NOTICE && !consent() && isTold()) void hide();
  });
  // One that left for the cache before it knew its region waits for that, as it did.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void begun.then(appear);
  });
}

/** A page that loads the script twice gets one banner; elements of these names, such as visitors write, are none. */
if (!(own(existing, 'getConsent') instanceof Function)) start();
