import { doc } from './document.js';
import { styled } from './dom.js';

let sheet: CSSStyleSheet | undefined;

/**
 * Adapts the page to what is shown. Behind a modal dialog it does not scroll; one that cannot be seen, because
 * something has hidden or covered it, is modal no longer. Beside any other layer, the page's focused elements
 * and its end can be scrolled out from behind it (WCAG 2.2, 2.4.11). By a sheet of its own, which leaves the
 * attributes of the page's elements alone.
 */
export function adapt(root: ShadowRoot, dialog?: HTMLDialogElement): void {
  // The buttons are sticky: what has the focus stays above them.
  if (dialog) dialog.style.scrollPaddingBottom = `${(dialog.lastElementChild as HTMLElement).offsetHeight}px`;
  const box = (dialog ?? root?.querySelector('.floating'))?.getBoundingClientRect();
  let rules = '';
  if (box) {
    const { left, top, bottom, width, height } = box;
    const space = innerHeight - top;
    if (dialog?.matches(':modal')) {
      const there = doc.elementFromPoint(left + width / 2, top + height / 2);
      // Moved, it leaves the top layer.
      if (there !== root.host) root.append(dialog);
      else
        rules = `overflow:hidden!important${innerWidth > doc.documentElement.clientWidth ? ';scrollbar-gutter:stable' : ''}`;
    } else if (height) {
      rules =
        bottom < space
          ? `scroll-padding-top:${bottom}px`
          : // No margin: Firefox does not scroll to that of the root.
            `scroll-padding-bottom:${space}px}html:after{content:"";display:block;height:${space}px`;
    }
  }
  sheet ??= styled(doc, '');
  sheet?.replaceSync(`html{${rules}}`);
}
