import css from '../styles/frame.css';
import { answer } from './answer.js';
import { allowed } from './consent.js';
import { h, shadow } from './dom.js';
import { direction, language, texts } from './language.js';

/** Smaller frames, in CSS pixels, are not content that a visitor misses. */
const LEAST = { width: 120, height: 60 };

const covers = new Map<HTMLIFrameElement, HTMLElement>();
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) place(target as HTMLIFrameElement);
});
const placeAll = (): void => {
  for (const frame of covers.keys()) place(frame);
};
addEventListener('resize', placeAll);
// A frame moves with the part of the page that it is in, and its placeholder may not.
addEventListener('scroll', ({ target }) => target !== document && placeAll(), true);

export const isCovered = (frame: HTMLIFrameElement): boolean => covers.has(frame);

/**
 * Shows over a blocked frame what it waits for; `load` is called when the visitor allows it there. The frame
 * keeps its box, so that nothing on the page moves.
 */
export function cover(frame: HTMLIFrameElement, wanted: string[], load: () => void): void {
  const known = wanted.every((key) => config.categories.some((one) => one.key === key));
  if (covers.has(frame) || !known) return;
  const host = document.createElement('avow-blocked');
  covers.set(frame, host);
  frame.style.visibility = 'hidden';
  frame.after(host);
  void fill(shadow(host, css), frame, wanted, load);
  observer.observe(frame);
}

async function fill(
  root: ShadowRoot,
  frame: HTMLIFrameElement,
  wanted: string[],
  load: () => void,
): Promise<void> {
  const text = await texts();
  const names = wanted.map((key) => text.categories[key]?.name ?? key).join(', ');
  const allow = (): void => {
    answer('save_preferences', 'settings', (key) => allowed(key) || wanted.includes(key));
    // Before all others, and before the button can be pressed again.
    load();
  };
  root.append(
    h(
      'div',
      { role: 'group', 'aria-label': frame.title || names, lang: language(), dir: direction() },
      h(
        'p',
        {},
        text.blocked.replace('{category}', () => names),
      ),
      h('button', { click: allow }, text.allow),
    ),
  );
}

/** Shows the frame again. */
export function uncover(frame: HTMLIFrameElement): void {
  const host = covers.get(frame);
  if (!host) return;
  const inside = document.activeElement === host;
  host.remove();
  covers.delete(frame);
  observer.unobserve(frame);
  frame.style.visibility = '';
  // A visitor who pressed its button continues inside the frame.
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
  const small = width < LEAST.width || height < LEAST.height;
  const set = (name: string, value: string): void => host.style.setProperty(name, value, 'important');
  set('display', small ? 'none' : 'block');
  set('width', `${width}px`);
  set('height', `${height}px`);
  set('transform', 'none');
  const at = host.getBoundingClientRect();
  set('transform', `translate(${left - at.left}px,${top - at.top}px)`);
}
