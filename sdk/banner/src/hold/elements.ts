import { doc } from '../document.js';
import { CATEGORY, type Hold, isHeld, MOST, mark, read, SOURCE, set, TYPE, unmark, WAITS } from './guard.js';
import { addressOf } from './rules.js';

const SOURCES = ':is(script,iframe,img)[src]';
const { querySelectorAll } = Element.prototype;
const { getRootNode } = Node.prototype;
const ADDED = { childList: true, subtree: true };
type Any = (...all: unknown[]) => unknown;

/** Replaces a method, where the browser has it. */
function around(target: object, name: string, make: (native: Any) => Any): void {
  const native = (target as Record<string, unknown>)[name];
  if (native instanceof Function) (target as Record<string, unknown>)[name] = make(native as Any);
}

/** Replaces how a member is read or set. */
function accessor(prototype: object, name: string, make: (native: Native) => object): void {
  const found = Object.getOwnPropertyDescriptor(prototype, name) as Native;
  Object.defineProperty(prototype, name, { ...found, ...make(found) });
}
type Native = Required<PropertyDescriptor>;

/** Holds elements as they get their source, are inserted, or are parsed. */
export function holdElements(guard: Hold): void {
  byProperty(guard);
  byAttribute(guard);
  byInsertion(guard);
  byMarkup(guard);
}

function byProperty(guard: Hold): void {
  for (const { prototype } of [HTMLScriptElement, HTMLIFrameElement, HTMLImageElement])
    accessor(prototype, 'src', (native) => ({
      get(this: Element) {
        return isHeld(guard, this) ? addressOf(this.getAttribute('src'))?.href : native.get.call(this);
      },
      set(this: Element, value: unknown) {
        if (!given(guard, this, `${value}`)) native.set.call(this, value);
      },
    }));
  accessor(HTMLScriptElement.prototype, 'type', (native) => ({
    get(this: Element) {
      return isHeld(guard, this) ? (read(this, TYPE) ?? '') : native.get.call(this);
    },
    set(this: Element, value: unknown) {
      if (!typed(guard, this, `${value}`)) native.set.call(this, value);
    },
  }));
}

/** A script of the page gives a script a type; true: it is not to be set. */
function typed(guard: Hold, script: Element, type: string): boolean {
  // Copied from one that waits: whether this one does, its source says.
  if (type === WAITS) return read(script, 'src') !== null;
  const waits = isHeld(guard, script);
  if (waits) set(script, TYPE, type);
  return waits;
}

/** A script of the page gives a source; true: it is not to be set. */
function given(guard: Hold, element: Element, source: string): boolean {
  // Such a script has not run yet, and can where it is.
  if (element instanceof HTMLScriptElement && !element.hasAttribute('src')) guard.made.add(element);
  bare.delete(element);
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
        const name = `${all[0]}`.toLowerCase();
        const take = name === 'src' ? given : name === 'type' ? typed : undefined;
        return take?.(guard, this, `${all[1]}`) ? undefined : native.apply(this, all);
      },
  );
  around(
    Element.prototype,
    'removeAttribute',
    (native) =>
      function (this: Element, ...all) {
        taken(guard, this, `${all[0]}`.toLowerCase());
        return native.apply(this, all);
      },
  );
  around(
    Element.prototype,
    'getAttribute',
    (native) =>
      function (this: Element, ...all) {
        const [name] = all;
        if (!/^(src|type)$/.test(name as string) || !isHeld(guard, this)) return native.apply(this, all);
        return read(this, `data-avow-${name}`) ?? (name === 'type' ? null : native.apply(this, all));
      },
  );
}

/** What marks were taken from a moment ago, with what it waits for. */
const bare = new Map<Element, string | null>();
/** How long that is, in milliseconds: an observer of the page that takes them whenever they come must not stop the page. */
const MOMENT = 200;

/** A script of the page takes an attribute away. */
function taken(guard: Hold, element: Element, name: string): void {
  if (name === 'src') {
    if (read(element, CATEGORY)) unmark(element);
    guard.loose.delete(element);
    bare.delete(element);
  } else if (read(element, CATEGORY) && /^type$|^data-avow-/.test(name) && !bare.has(element)) {
    bare.set(element, read(element, SOURCE) ?? read(element, 'src'));
    const put = (): void => {
      const source = bare.get(element);
      if (source && element.hasAttributes()) mark(guard, element, source, true);
    };
    // What makes elements like new HTML means the marks alone. Not at once: who takes all attributes away would never end.
    queueMicrotask(put);
    setTimeout(() => {
      put();
      bare.delete(element);
    }, MOMENT);
  }
}

/** What has a source of a node and in it; a form's fields stand in the place of its members. */
function within(node: unknown): Element[] {
  if (node instanceof DocumentFragment) return [...node.querySelectorAll(SOURCES)];
  if (!(node instanceof Element)) return [];
  return [node, ...querySelectorAll.call(node, SOURCES)];
}

/** Those that come with their source, such as clones and what templates hold. */
function byInsertion(guard: Hold): void {
  for (const { prototype } of [Node, Element, DocumentFragment])
    for (const name of INSERTS)
      if (Object.hasOwn(prototype, name))
        around(
          prototype,
          name,
          (native) =>
            function (this: unknown, ...nodes) {
              // The second of two is where, or what goes.
              for (const node of prototype === Node.prototype ? [nodes[0]] : nodes)
                for (const one of within(node)) come(guard, one);
              return native.apply(this, nodes);
            },
        );
}
const INSERTS =
  'appendChild insertBefore replaceChild append prepend before after replaceWith insertAdjacentElement'.split(
    ' ',
  );

/** It runs now, if it does at all. */
function come(guard: Hold, element: Element): void {
  if (element instanceof HTMLScriptElement) {
    if (!doc.contains(element)) {
      if (read(element, CATEGORY) === null) guard.made.add(element);
    } else if (read(element, 'type') !== WAITS && !bare.has(element)) return; // It has run where it was.
  }
  judge(guard, element);
}

/** True: its source was taken away. */
function judge(guard: Hold, element: Element): boolean {
  const source = read(element, 'src');
  return !!source && mark(guard, element, source);
}

/**
 * Those of the page's own markup, and of what it writes as text, which stays as it is: a browser may have asked for them
 * already. Scripts are looked at before they run.
 */
function byMarkup(guard: Hold): void {
  const take = (node: unknown, runs?: boolean): void => {
    for (const one of within(node)) {
      // One that a script has inserted has run, if it does; one of `innerHTML` never does.
      if (one instanceof HTMLScriptElement && !(runs && doc.readyState === 'loading')) continue;
      // Inserted again, a frame stops loading.
      if (judge(guard, one) && one instanceof HTMLIFrameElement) one.replaceWith(one);
    }
  };
  const see = (records: MutationRecord[], runs?: boolean): void => {
    for (const { addedNodes } of records) for (const node of addedNodes) take(node, runs);
  };
  const observer = new MutationObserver((records) => see(records, true));
  observer.observe(document, ADDED);
  /** Looks at once at what a page writes into a place: images are only asked for when its script is done. */
  const write = (place: Node, insert: () => unknown): void => {
    // What is not in the document, or is in a shadow root, nobody has observed yet.
    observer.observe(getRootNode.call(place), ADDED);
    insert();
    see(observer.takeRecords());
  };
  for (const { prototype } of [Element, ShadowRoot])
    for (const name of ['innerHTML', 'outerHTML'])
      if (Object.hasOwn(prototype, name))
        accessor(prototype, name, (native) => ({
          set(this: Node, value: unknown) {
            write(this, () => native.set.call(this, value));
          },
        }));
  around(
    Element.prototype,
    'insertAdjacentHTML',
    (native) =>
      function (this: Element, ...all) {
        write(this, () => native.apply(this, all));
      },
  );
  const { write: native } = Document.prototype;
  for (const name of ['write', 'writeln'])
    around(
      Document.prototype,
      name,
      (whole) =>
        function (this: Document, ...all) {
          // A policy of the page is asked about all of it.
          const { trustedTypes } = window as { trustedTypes?: { defaultPolicy?: unknown } };
          if (trustedTypes?.defaultPolicy || !all.every((one) => typeof one === 'string'))
            return whole.apply(this, all);
          // In pieces, which is the same to the parser: a script is looked at ahead of its end tag, where it runs.
          const text = all.join('') + (name === 'write' ? '' : '\n');
          for (const piece of text.split(/(?=<\/script)/i)) {
            native.call(this, piece);
            see(observer.takeRecords(), true);
          }
        },
    );
}
