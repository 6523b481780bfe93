import type { AvowLayer } from '../../src/banner.js';
import css from '../styles/banner.css';
import { consent } from './consent.js';
import type { Texts } from './contract.js';
import { focused, h, shadow, trap } from './dom.js';
import { emit } from './events.js';
import { firstLayer } from './first-layer.js';
import { direction, language, texts } from './language.js';
import { pause } from './page.js';
import { control } from './parts.js';
import { secondLayer } from './second-layer.js';
import { engage, impression, track } from './send.js';

/** Two presses within this many milliseconds and CSS pixels count as one. */
const PRESS_TIME = 600;
const PRESS_WIDTH = 40;

let host: HTMLElement | undefined;
let root: ShadowRoot;
const live = h('div', { role: 'status', class: 'live' });

let open: { layer: AvowLayer; dialog: HTMLDialogElement } | null = null;
/** Whether the visitor has closed the first layer: it does not come back on this page view. */
let dismissed = false;
/** Where the focus was before anything was shown. */
let opener: HTMLElement | null = null;
let asked = 0;

/**
 * Between head and body: early in the order of the keyboard, and no rule for the body's children can match or
 * miss by it.
 */
function mount(): void {
  if (host?.isConnected) return;
  const isNew = !host;
  host ??= h('avow-banner' as 'div', { 'data-avow-banner': true });
  document.documentElement.insertBefore(host, document.body);
  if (isNew) {
    root = shadow(host, css);
    root.append(live);
    root.addEventListener('click', refuseSecondPress, true);
  }
  // The page has taken the host away, and a modal dialog's state with it.
  close();
}

let pressed: MouseEvent | undefined;

/** The second press of two on one spot of the screen was not meant for an answer that has just come there. */
function refuseSecondPress(event: Event): void {
  const press = event as MouseEvent;
  const last = pressed;
  pressed = press;
  const isSecond =
    last &&
    // A keyboard press has no position.
    press.detail &&
    press.target !== last.target &&
    press.timeStamp - last.timeStamp < PRESS_TIME &&
    Math.hypot(press.x - last.x, press.y - last.y) < PRESS_WIDTH;
  if (isSecond && (press.target as Element).matches('.answer')) event.stopImmediatePropagation();
}

/** Shows a layer; the later of two calls wins while texts are loaded. */
export async function show(layer: AvowLayer, gpcNotice = false): Promise<void> {
  asked += 1;
  const mine = asked;
  const text = await texts();
  mount();
  // A slow phone parses the styles in one task, finds fonts and builds the layer in the next, and lays it out
  // in a third.
  await pause();
  if (mine !== asked || open?.layer === layer) return;
  findFonts(text.title);
  const dialog = layer === 'banner' ? firstLayer(text, gpcNotice, openSettings) : secondLayer(text, dismiss);
  await pause();
  if (mine !== asked) return;
  // The page may have taken the host away meanwhile.
  mount();
  if (!open) opener = focused();
  close();
  root.querySelector('.floating')?.remove();
  place(dialog, layer);
  say(layer === 'banner' && !dialog.matches(':modal') ? text.title : '');
  emit('show', { layer });
  engage();
  await pause();
  if (layer === 'banner') {
    impression(language());
    track('banner_shown');
  } else track('settings_opened');
}

const openSettings = (): void => void show('settings');

let found = false;

/** Lays out a sample that nobody sees. The first text in each font takes as long as all others after it. */
function findFonts(words: string): void {
  if (found) return;
  found = true;
  const sample = h('div', {}, ...(['h2', 'p', 'button'] as const).map((name) => h(name, {}, words)));
  root.append(sample);
  void sample.offsetHeight;
  sample.remove();
}

function place(dialog: HTMLDialogElement, layer: AvowLayer): void {
  dialog.lang = language();
  dialog.dir = direction();
  // The back gesture of mobile systems; and where a browser does not let it be prevented, the dialog is
  // closed already.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    dismiss();
  });
  dialog.addEventListener('close', () => {
    if (open?.dialog === dialog) dismiss();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      dismiss();
    } else if (dialog.matches(':modal')) trap(event, dialog);
  });
  root.append(dialog);
  open = { layer, dialog };
  if (layer === 'settings' || dialog.classList.contains('dialog')) {
    dialog.showModal();
    // The dialog itself: its name is read first, and no choice is nearer than another.
    dialog.focus();
  } else {
    // Not by show(), which would take the focus from the page.
    dialog.open = true;
    // Laid out in this task, so that the frame's own has only to paint.
    void dialog.offsetHeight;
    clear.observe(dialog);
  }
}

/**
 * What the keyboard reaches on the page scrolls clear of the banner (WCAG 2.2, 2.4.11). Observed, since its
 * size changes with the page's.
 */
const clear = new ResizeObserver(([entry]) => {
  const { top, height } = (entry as ResizeObserverEntry).target.getBoundingClientRect();
  const { style } = document.documentElement;
  style.scrollPaddingBottom = height && top > 0 ? `${height}px` : '';
  style.scrollPaddingTop = height && top <= 0 ? `${height}px` : '';
});

/**
 * Closes without a choice, which is no consent. Settings give way to the first layer again while nothing is
 * decided.
 */
export function dismiss(): void {
  if (open?.layer === 'settings' && !consent() && !dismissed) {
    void show('banner').then(() => open?.dialog.querySelector<HTMLElement>('.settings')?.focus());
    return;
  }
  if (open) track('banner_closed');
  dismissed = true;
  void hide();
}

/** Closes everything but the control, including layers still loading, and restores the focus. */
export async function hide(message?: keyof Texts & 'saved'): Promise<void> {
  asked += 1;
  const was = open;
  if (!was) return;
  const inside = was.dialog.contains(root.activeElement);
  close();
  await pause();
  // Before anything that takes time: what is shown next is told of after it.
  emit('hide', { layer: was.layer });
  await settle();
  if (message) say((await texts())[message]);
  // Unless another layer was shown meanwhile, which has the focus now.
  if (inside && !open && !focused())
    (opener?.isConnected ? opener : root.querySelector<HTMLElement>('.control'))?.focus();
}

/** The control that opens the settings again, when nothing is open. */
export async function settle(): Promise<void> {
  if (config.control !== 'floating') return;
  const text = await texts();
  if (open) return;
  mount();
  if (!root.querySelector('.floating')) root.append(control(text, openSettings));
}

function close(): void {
  open?.dialog.close();
  open?.dialog.remove();
  open = null;
}

/** Announced by screen readers; in its own task, since the region must have been empty before. */
function say(message: string): void {
  live.textContent = '';
  live.lang = language();
  setTimeout(() => {
    live.textContent = message;
  }, 100);
}
