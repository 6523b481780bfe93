import { answer } from './answer.js';
import { allowed, isKnown } from './consent.js';
import { doc } from './document.js';
import { h, shadow } from './dom.js';
import { direction, language, texts } from './language.js';
import { vendorOf } from './vendors/asked.js';
import { offers } from './vendors/offers.js';
import { judgePresses, open } from './view.js';

/**
 * Frames smaller than this, in CSS pixels, hold no content that a visitor would miss, and get no placeholder.
 */
const MIN_SIZE = { width: 120, height: 60 };

export const covers = new Map<HTMLIFrameElement, HTMLElement>();
/** All of them, because one that changes its size moves others. */
const placeAll = (): void => {
  for (const [frame, host] of covers)
    if (frame.isConnected) {
      const { left, top, width, height } = frame.getBoundingClientRect();
      const display = width < MIN_SIZE.width || height < MIN_SIZE.height ? 'none' : 'block';
      const style = `display:${display}!important;width:${width}px!important;height:${height}px!important`;
      host.style.cssText = style;
      const at = host.getBoundingClientRect();
      host.style.cssText = `${style};transform:translate(${left - at.left}px,${top - at.top}px)!important`;
    } else uncover(frame);
};
const observer = new ResizeObserver(placeAll);
addEventListener('resize', placeAll);
// A frame moves when the element around it is scrolled; its placeholder may not.
addEventListener('scroll', ({ target }) => target !== doc && placeAll(), true);

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
  judgePresses(root);
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
