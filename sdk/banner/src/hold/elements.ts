import { doc } from '../document.js';
import { type Hold, isHeld, MOST, mark } from './guard.js';
import { addressOf } from './rules.js';

const SOURCES = 'script[src],iframe[src],img[src]';
type Any = (...all: unknown[]) => unknown;

/** Replaces a method, where the browser has it. */
function around(target: object, name: string, make: (native: Any) => Any): void {
  const native = (target as Record<string, unknown>)[name];
  if (native instanceof Function) (target as Record<string, unknown>)[name] = make(native as Any);
}

/** Holds elements as they get their source, are inserted, or are parsed. */
export function holdElements(guard: Hold): void {
  byProperty(guard);
  byAttribute(guard);
  byInsertion(guard);
  byMarkup(guard);
  byParser(guard);
}

function byProperty(guard: Hold): void {
  for (const { prototype } of [HTMLScriptElement, HTMLIFrameElement, HTMLImageElement]) {
    const found = Object.getOwnPropertyDescriptor(prototype, 'src') as Required<PropertyDescriptor>;
    Object.defineProperty(prototype, 'src', {
      ...found,
      get(this: Element) {
        const waiting = this.getAttribute('data-src');
        return waiting !== null && isHeld(guard, this) ? addressOf(waiting)?.href : found.get.call(this);
      },
      set(this: Element, value: unknown) {
        if (!given(guard, this, String(value))) found.set.call(this, value);
      },
    });
  }
  const { prototype } = HTMLScriptElement;
  const found = Object.getOwnPropertyDescriptor(prototype, 'type') as Required<PropertyDescriptor>;
  Object.defineProperty(prototype, 'type', {
    ...found,
    get(this: HTMLScriptElement) {
      return isHeld(guard, this) ? (this.dataset.type ?? '') : found.get.call(this);
    },
    set(this: HTMLScriptElement, value: string) {
      if (isHeld(guard, this)) this.dataset.type = value;
      else found.set.call(this, value);
    },
  });
}

/** A script of the page gives a source; true: it is not to be set. */
function given(guard: Hold, element: Element, source: string): boolean {
  // Such a script has not run yet, and can where it is.
  if (element instanceof HTMLScriptElement && !element.hasAttribute('src')) guard.made.add(element);
  const waits = mark(guard, element, source);
  if (waits && element instanceof HTMLImageElement && !element.isConnected && guard.loose.size < MOST)
    guard.loose.add(element);
  return waits;
}

function byAttribute(guard: Hold): void {
  around(
    Element.prototype,
    'setAttribute',
    (native) =>
      function (this: Element, ...all) {
        const name = typeof all[0] === 'string' && all[0].length < 5 ? all[0].toLowerCase() : '';
        if (name === 'src') {
          if (given(guard, this, String(all[1]))) return;
        } else if (name === 'type' && this instanceof HTMLScriptElement && isHeld(guard, this)) {
          this.dataset.type = String(all[1]);
          return;
        }
        return native.apply(this, all);
      },
  );
  around(
    Element.prototype,
    'getAttribute',
    (native) =>
      function (this: Element, ...all) {
        const [name] = all;
        const isOwn =
          (name === 'src' || (name === 'type' && this instanceof HTMLScriptElement)) && isHeld(guard, this);
        const own = isOwn ? native.call(this, `data-${name}`) : null;
        return own === null && !(isOwn && name === 'type') ? native.apply(this, all) : own;
      },
  );
}

/** Those that come with their source, such as clones and what templates hold. */
function byInsertion(guard: Hold): void {
  const look = (node: unknown): void => {
    if (node instanceof HTMLScriptElement || node instanceof HTMLIFrameElement) come(guard, node);
    else if ((node instanceof DocumentFragment || node instanceof Element) && node.firstElementChild)
      for (const one of node.querySelectorAll(SOURCES)) come(guard, one);
  };
  const names: [object, string[]][] = [
    [Node.prototype, ['appendChild', 'insertBefore', 'replaceChild']],
    [Element.prototype, ['append', 'prepend', 'before', 'after', 'replaceWith', 'insertAdjacentElement']],
    [DocumentFragment.prototype, ['append', 'prepend']],
  ];
  for (const [target, all] of names)
    for (const name of all)
      around(
        target,
        name,
        (native) =>
          function (this: unknown, ...nodes) {
            nodes.forEach(look);
            return native.apply(this, nodes);
          },
      );
}

/** It runs now, if it does at all. */
function come(guard: Hold, element: Element): void {
  if (!element.isConnected && element instanceof HTMLScriptElement && !element.hasAttribute('data-held'))
    guard.made.add(element);
  judge(guard, element);
}

function judge(guard: Hold, element: Element): void {
  const source = element.getAttribute('src');
  if (source && !isHeld(guard, element)) mark(guard, element, source);
}

/** What a page writes as text: images and frames load before anything could see them, scripts only in `write`. */
function byMarkup(guard: Hold): void {
  const template = doc.createElement('template');
  const html = Object.getOwnPropertyDescriptor(
    Element.prototype,
    'innerHTML',
  ) as Required<PropertyDescriptor>;
  const rewritten = (text: unknown, tags: RegExp): unknown =>
    typeof text !== 'string'
      ? text
      : text.replace(tags, (tag) => {
          try {
            html.set.call(template, tag);
            const [element] = template.content.children;
            judge(guard, element as Element);
            return element?.hasAttribute('data-held') ? element.outerHTML.replace(/<\/\w+>$/, '') : tag;
          } catch {
            // A page with Trusted Types takes no text.
            return tag;
          }
        });
  const LOADS = /<(?:img|iframe)\b[^<>]*>/gi;
  const RUNS = /<(?:script|img|iframe)\b[^<>]*>/gi;
  for (const [prototype, name] of [
    [Element.prototype, 'innerHTML'],
    [Element.prototype, 'outerHTML'],
    [ShadowRoot.prototype, 'innerHTML'],
  ] as const) {
    const found = Object.getOwnPropertyDescriptor(prototype, name) as Required<PropertyDescriptor>;
    Object.defineProperty(prototype, name, {
      ...found,
      set(value: unknown) {
        found.set.call(this, rewritten(value, LOADS));
      },
    });
  }
  around(
    Element.prototype,
    'insertAdjacentHTML',
    (native) =>
      function (this: unknown, where, text) {
        return native.call(this, where, rewritten(text, LOADS));
      },
  );
  for (const name of ['write', 'writeln'])
    around(
      Document.prototype,
      name,
      (native) =>
        function (this: unknown, ...all) {
          const isText = all.every((one) => typeof one === 'string');
          return isText ? native.call(this, rewritten(all.join(''), RUNS)) : native.apply(this, all);
        },
    );
}

/** Those of the page's own markup: before they run, as far as scripts are concerned. */
function byParser(guard: Hold): void {
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Element) {
          const all = [...node.querySelectorAll(SOURCES)];
          if (node.matches(SOURCES)) all.push(node);
          for (const one of all) {
            // One that a script has inserted has run, if it does.
            if (one instanceof HTMLScriptElement && doc.readyState !== 'loading') continue;
            const before = one.hasAttribute('data-held');
            judge(guard, one);
            // Inserted again, a frame stops loading.
            if (!before && one instanceof HTMLIFrameElement && one.hasAttribute('data-held'))
              one.replaceWith(one);
          }
        }
  }).observe(document, { childList: true, subtree: true });
}
