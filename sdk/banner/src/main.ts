import type { AvowBanner, AvowCall } from '../../src/banner.js';
import { onAnswer } from './answer.js';
import { createApi } from './api.js';
import { showPlaceholders, watch } from './blocking.js';
import { allowed, consent, sessionId } from './consent.js';
import { deleteCookies } from './cookies.js';
import { decide, follow, recall, recallAgain } from './decide.js';
import { emit } from './events.js';
import { KEY } from './memory.js';
import { given, gpc, pause, preview } from './page.js';
import { flush, sendOnLeave } from './send.js';
import { hide, settle, show } from './view.js';

/** Before anything of the page runs: default signals and blocking. The rest waits for the first paint. */
function start(): void {
  onAnswer((...answered) => {
    decide(...answered);
    void hide('saved');
  });
  recall();
  const recalled = consent()?.recorded_at;
  watch();
  let ready = false;
  const painted = read().then(() => {
    ready = true;
    const now = consent();
    emit('ready', now);
    // A decision that a waiting call made was told already.
    if (now && now.recorded_at === recalled) emit('consent', now);
    return paint();
  });
  void painted.then(appear);
  const api = createApi(painted, () => ready);
  const waiting = Array.isArray(given) ? (given as AvowCall[]) : [];
  window.Avow = api as AvowBanner;
  api.push(...waiting);
  sendOnLeave(sessionId);
  followOtherTabs();
}

/** Resolves when the document is read. */
const read = (): Promise<unknown> =>
  new Promise((resolve) => {
    if (document.readyState !== 'loading') resolve(undefined);
    else document.addEventListener('DOMContentLoaded', resolve);
  });

/** Resolves after the next frame; a page in the background has its first when it becomes visible. */
const paint = (): Promise<void> =>
  new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => void pause().then(resolve))),
  );

async function appear(): Promise<void> {
  // Another tab may have decided while this page was prerendered, or in the background.
  recallAgain();
  if (consent()) {
    deleteCookies(allowed);
    void flush();
  } else {
    const signalled = gpc() && !preview;
    // The signal is an answer, and not the last word: the visitor may still choose.
    if (signalled) decide('reject_all', 'gpc');
    await show('banner', gpc());
  }
  // Also when the first layer was cancelled before it appeared.
  await settle();
  // A slow phone lays out the texts of the banner in one frame, and those of the placeholders in another.
  await paint();
  showPlaceholders();
}

/** A choice in one tab is a choice in all. */
function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    // A change of what has been sent needs no reaction here.
    if (key === KEY && follow()) void hide();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    if (recallAgain() && consent()) void hide();
    void flush();
    if (!consent()) void show('banner', gpc());
  });
}

/** A page that carries the script twice gets one banner. */
if (!given?.getConsent) start();
