import type { AvowLayer } from '../../src/banner.js';
import { adapt } from './adapt.js';
import { consent } from './consent.js';
import { doc } from './document.js';
import { focused, h, shadow, trap } from './dom.js';
import { emit } from './events.js';
import { firstLayer } from './first-layer.js';
import { hidden as hiddenByGpp, shown as shownByGpp } from './gpp/cmp.js';
import { direction, language, texts } from './language.js';
import { isTold } from './notice.js';
import { outer, pause } from './page.js';
import { control, logo } from './parts.js';
import { secondLayer } from './second-layer.js';
import { engage, impression, track } from './send.js';
import { asksByTcf } from './tcf/choice.js';
import { hidden, shown } from './tcf/cmp.js';
import { tcfLayer } from './tcf/layer.js';

/** A second press within this many milliseconds and CSS pixels of the first counts as a double press. */
const PRESS_TIME = 600;
const PRESS_WIDTH = 40;

let host: HTMLElement | undefined;
let root: ShadowRoot;
const live = h('div', { role: 'status', class: 'live' });

/** What is shown now. */
export let open: { layer: AvowLayer; dialog: HTMLDialogElement } | null = null;
/** The language of what the visitor has read: the page may ask for another since, whose texts are loading. */
export const languageRead = (): string => open?.dialog.lang || language();
/** Whether the visitor has closed the first layer: it is not shown again on this page view. */
export let dismissed = false;
/** The element that had the focus before anything was shown. */
let opener: HTMLElement | null = null;
let requests = 0;

/** How often the banner comes back when something else removes it: a blocker must not fight with it for ever. */
let returns = 5;

/**
 * Inserts the host. Between head and body it comes early in the keyboard order, and changes nothing for CSS
 * rules of the body's children; but while the page is loading it is the body's last child, which frameworks
 * that hydrate the whole document ignore.
 */
function mount(): void {
  if (host?.isConnected) return;
  host ??= h('avow-banner' as 'div', { popover: 'manual' });
  insert(host, doc.readyState === 'complete');
  if (root) return;
  root = shadow(host);
  judgePresses(root);
  root.append(live);
  addEventListener('pointerdown', fit, true);
  addEventListener('keydown', comeFirst, true);
}

function insert(own: HTMLElement, isFirst: boolean): void {
  if (isFirst) doc.body.before(own);
  else doc.body.append(own);
  // In the top layer, where no transform or stacking order of the page matters.
  own.showPopover?.();
}

/** Moves an open first layer from the body's end to the beginning of the keyboard order. */
function comeFirst({ key }: KeyboardEvent): void {
  if (key === 'Tab' && host?.parentNode === doc.body && doc.activeElement !== host) insert(host, true);
}

/** Comes back when the page, or the framework that renders it, has removed the banner. */
export function restore(): void {
  if (!host || host.isConnected || !doc.body || !returns) return;
  returns -= 1;
  mount();
  if (open) present();
}

/** Where a pointer was last taken up; scrolling ends otherwise. */
let last = {} as PointerEvent;
/** What a press began on; nothing for the second press of a double press. */
let begun: Element | null = null;
// A page may put something under the pointer at any time of a press. No clicks: scripts make them, too.
addEventListener(
  'pointerup',
  (event) => {
    last = event;
  },
  true,
);

const isNear = (press: MouseEvent): boolean =>
  press.timeStamp - last.timeStamp < PRESS_TIME &&
  (press.x - last.x) ** 2 + (press.y - last.y) ** 2 < PRESS_WIDTH ** 2;
function notePress(press: MouseEvent): void {
  begun = isNear(press) ? null : (press.composedPath()[0] as Element);
}
// Here too, because a page may keep what is pressed from the roots in it.
addEventListener('pointerdown', notePress, true);

/**
 * Ignores presses in a root whose button has just appeared under the pointer: the second of a double press, whose first may
 * have been on the page, or one that began on what the page has replaced since. It listens in the root that holds the
 * buttons: nobody sees from outside into what is in a closed root of the page.
 */
export function judgePresses(root: ShadowRoot): void {
  const judge = (press: MouseEvent): void => {
    // A press by keyboard has a count of 0. Touch screens may give a click to a button beside what was pressed.
    if (press.detail && isNear(press) && !root.contains(begun)) {
      press.stopPropagation();
      // What opens the list of vendors is a link to nowhere.
      if (tcf && (press.target as HTMLAnchorElement).href) press.preventDefault();
    }
  };
  root.addEventListener('pointerdown', notePress as EventListener, true);
  root.addEventListener('click', judge as EventListener, true);
}

/** Shows a layer. While texts are loading, a later call replaces an earlier one. */
export async function show(layer: AvowLayer, gpcNotice = false): Promise<void> {
  if (outer()) return;
  const request = ++requests;
  // Before the texts, whose language would be that of the page by now.
  if (open?.layer === layer) return;
  const text = await texts();
  mount();
  // Three tasks for slow phones: one parses the styles, the next finds fonts and builds the layer, and the
  // third lays it out.
  await pause();
  if (request !== requests) return;
  findFonts(text.title);
  const dialog =
    layer === 'banner'
      ? firstLayer(text, gpcNotice, openSettings, dismiss)
      : tcf && asksByTcf()
        ? tcfLayer(text, dismiss)
        : secondLayer(text, dismiss);
  await pause();
  if (request !== requests) return;
  // The page may have removed the host in the meantime.
  mount();
  if (!open) opener = focused();
  close();
  root.querySelector('.floating')?.remove();
  place(dialog, layer);
  say(layer === 'banner' && !dialog.matches(':modal') ? text.title : '');
  if (tcf) shown();
  if (gpp) shownByGpp(layer);
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

/** Lays out an invisible sample, because the first text in each font takes as long as all later ones. */
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
  // The back gesture of mobile systems. Some browsers close the dialog nevertheless; the next listener
  // handles that.
  dialog.oncancel = (event) => {
    event.preventDefault();
    dismiss();
  };
  dialog.onclose = () => {
    if (open?.dialog === dialog) dismiss();
  };
  dialog.onkeydown = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      dismiss();
    } else if (dialog.matches(':modal')) trap(event, dialog);
  };
  if (designed) dialog.firstElementChild?.prepend(logo() || '');
  root.append(dialog);
  open = { layer, dialog };
  present();
  sizes.observe(dialog);
}

function present(): void {
  const { layer, dialog } = open as NonNullable<typeof open>;
  // Over a modal dialog of the page, only another one can be used. Not show(), which would take the focus from
  // the page.
  dialog.open = !(layer === 'settings' || dialog.matches('.dialog') || doc.querySelector('dialog:modal'));
  if (!dialog.open) {
    dialog.showModal();
    // The focus goes to the dialog itself: screen readers say its name first, and no button is favoured.
    dialog.focus();
  }
  // Forces the layout in this task, so that the next frame only has to paint.
  fit();
}

const fit = (): void => adapt(root, open?.dialog);

/** An observer, because the banner's size changes with the page's. */
const sizes = new ResizeObserver(fit);

/**
 * Closes without a decision, which is no consent. While nothing is decided, the settings are replaced by the
 * first layer.
 */
export function dismiss(): void {
  if (open?.layer === 'settings' && !consent() && !dismissed && !(regional && isTold())) {
    void show('banner').then(() => open?.dialog.querySelector<HTMLElement>('.settings')?.focus());
    return;
  }
  if (open) track('banner_closed');
  dismissed = true;
  void hide();
}

/** Closes everything but the control, including layers still loading, and restores the focus. */
export async function hide(saved?: boolean): Promise<void> {
  ++requests;
  const was = open;
  if (!was) return;
  const inside = was.dialog.contains(root.activeElement);
  close();
  if (tcf) hidden();
  if (gpp) hiddenByGpp();
  await pause();
  // Emitted before anything that takes time, so that the event for the next layer comes after it.
  emit('hide', { layer: was.layer });
  await settle();
  if (saved) say((await texts()).saved);
  // Not when another layer has been shown in the meantime: it has the focus now.
  if (inside && !open && !focused())
    (opener?.isConnected ? opener : root.querySelector<HTMLElement>('.control'))?.focus();
}

/** Shows the control that opens the settings, if no layer is open. */
export async function settle(): Promise<void> {
  if (config.control !== 'floating' || outer()) return;
  const text = await texts(open);
  if (open) return;
  mount();
  if (root.querySelector('.floating')) return;
  root.append(control(text, openSettings));
  fit();
}

function close(): void {
  open?.dialog.close();
  open?.dialog.remove();
  open = null;
  fit();
}

/** Makes screen readers announce a message. Set with a delay, because the region must be empty first. */
function say(message: string): void {
  live.textContent = '';
  live.lang = language();
  setTimeout(() => {
    live.textContent = message;
  }, 100);
}
