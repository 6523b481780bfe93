import { answer } from './answer.js';
import { allowed, isKnown } from './consent.js';
import { h, shadow } from './dom.js';
import { direction, language, texts } from './language.js';
import { vendorOf } from './vendors/asked.js';
import { offers } from './vendors/offers.js';
import { open } from './view.js';

/**
 * Frames smaller than this, in CSS pixels, hold no content that a visitor would miss, and get no placeholder.
 */
const MIN_SIZE = { width: 120, height: 60 };

export const covers = new Map<HTMLIFrameElement, HTMLElement>();
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) place(target as HTMLIFrameElement);
});
const placeAll = (): void => {
  for (const frame of covers.keys()) place(frame);
};
addEventListener('resize', placeAll);
// A frame moves when the element around it is scrolled; its placeholder may not.
addEventListener('scroll', ({ target }) => target !== document && placeAll(), true);

/**
 * Shows a placeholder over a blocked frame, with the categories that it waits for. Calls `load` when the
 * visitor allows them there. The frame keeps its size, so that nothing on the page moves.
 */
export function cover(frame: HTMLIFrameElement, wanted: string[], load: () => void): void {
  if (covers.has(frame) || !(wanted.every(isKnown) || (byVendor && vendorOf(frame)))) return;
  const host = h('avow-blocked' as 'div');
  covers.set(frame, host);
  frame.style.visibility = 'hidden';
  frame.after(host);
  void fill(shadow(host), frame, wanted, load);
  observer.observe(frame);
}

async function fill(
  root: ShadowRoot,
  frame: HTMLIFrameElement,
  wanted: string[],
  load: () => void,
): Promise<void> {
  const text = await texts(open);
  const names = wanted.map((key) => text.categories[key]?.name ?? key).join(', ');
  const allow = (): void => {
    answer('save_preferences', 'placeholder', (key) => allowed(key) || wanted.includes(key));
    // This frame first, and before the button can be pressed again.
    load();
  };
  root.append(
    h(
      'div',
      {
        class: 'cover',
        role: 'group',
        'aria-label': frame.title || names,
        lang: language(),
        dir: direction(),
      },
      ...(byVendor
        ? offers(frame, wanted, names, text, load)
        : [
            h(
              'p',
              {},
              text.blocked.replace('{category}', () => names),
            ),
            h('button', { click: allow }, text.allow),
          ]),
    ),
  );
}

/** Shows the frame again. */
export function uncover(frame: HTMLIFrameElement): void {
  const host = covers.get(frame);
  if (!host) return;
  const inside = host.shadowRoot?.activeElement;
  host.remove();
  covers.delete(frame);
  observer.unobserve(frame);
  frame.style.visibility = '';
  // After the button was pressed, the focus moves into the frame.
  if (inside) frame.focus();
}

function place(frame: HTMLIFrameElement): void {
  const host = covers.get(frame);
  if (!host) return;
  if (!frame.isConnected) {
    uncover(frame);
    return;
  }
  const { left, top, width, height } = frame.getBoundingClientRect();
  const small = width < MIN_SIZE.width || height < MIN_SIZE.height;
  const set = (x: number, y: number): void => {
    host.style.cssText = `display:${small ? 'none' : 'block'}!important;width:${width}px!important;height:${height}px!important;transform:translate(${x}px,${y}px)!important`;
  };
  set(0, 0);
  const at = host.getBoundingClientRect();
  set(left - at.left, top - at.top);
}
