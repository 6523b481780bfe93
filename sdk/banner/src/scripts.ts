import { doc } from './document.js';
import { h } from './dom.js';
import { drop } from './hold/guard.js';
import { isAuto, isMade, typeOf } from './hold/keep.js';
import { parsed, tag } from './page.js';

interface Waiting {
  script: HTMLScriptElement;
  /** Resolves when the elements before it are done; undefined when they are already. */
  turn: () => Promise<void> | undefined;
  free: () => boolean;
}

/** Attributes of the blocked state, which are not copied to the script that runs. */
const DROPPED = /^(data-)?(type|src)$/;
/** Those of scripts that nobody has marked up: names that begin otherwise are the page's. */
const DROPPED_HELD = /^(data-avow-type|type|src)$/;

/** The types of scripts that browsers run. */
const RUNS = /^(module)?$|(java|ecma)script/i;

/**
 * The nonce that the page gave this script. It then asks for the same on scripts that it releases: `strict-dynamic`
 * trusts whatever a trusted script inserts, and so would run what somebody slipped into the page's markup.
 */
const nonce = tag?.nonce;

const same = (text: string): string => text;
const passThrough = { createScript: same, createScriptURL: same };
type Policy = typeof passThrough;
const { trustedTypes } = window as {
  trustedTypes?: { defaultPolicy: unknown; createPolicy(name: string, rules: Policy): Policy };
};
let policy: Policy | undefined;

/**
 * Trusted Types: text of the page's own markup becomes a script by the page's default policy, or else by our
 * own.
 */
function trusted(): Policy {
  try {
    if (!trustedTypes?.defaultPolicy) policy ??= trustedTypes?.createPolicy('avow', passThrough);
  } catch {
    // The page's Content-Security-Policy does not allow it.
  }
  return policy ?? passThrough;
}

const ready: Waiting[] = [];
/** Deferred scripts and modules, which run after the document is parsed, as they would without blocking. */
const deferredQueue: Waiting[] = [];
let running = false;

/** Runs a script when its turn comes, if it is still allowed then. */
export function queue(script: HTMLScriptElement, turn: Waiting['turn'], free: () => boolean): void {
  const deferred = isModule(script) || (script.defer && sourceOf(script) !== null);
  const waits = deferred && !script.hasAttribute('async') && doc.readyState === 'loading';
  (waits ? deferredQueue : ready).push({ script, turn, free });
  if (waits && deferredQueue.length === 1) {
    void parsed.then(() => {
      ready.push(...deferredQueue.splice(0));
      void run();
    });
  }
  void run();
}

const sourceOf = (script: HTMLScriptElement): string | null =>
  script.getAttribute('src') ?? script.getAttribute('data-src');
/** Browsers fire no event for a script that they skip. */
const isSkipped = (script: HTMLScriptElement): boolean =>
  (script.noModule && !isModule(script)) || !RUNS.test((holds ? typeOf(script) : script.dataset.type) ?? '');
const isModule = (script: HTMLScriptElement): boolean =>
  (holds ? typeOf(script) : script.dataset.type) === 'module';

/** Runs scripts in order, each after the one before it unless that one is `async`. */
async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (let next = ready.shift(); next; next = ready.shift()) {
    try {
      const before = next.turn();
      if (before) await before;
      if (next.free()) await start(next.script);
    } catch {
      // A page with Trusted Types may refuse a script; the next ones still run.
    }
  }
  running = false;
}

/** Blocked scripts that the parser has inserted. */
const fromParser = new WeakSet<Element>();

/** Notes that the parser has inserted a script, which can therefore run where it is. */
export const noteParsed = (script: Element): void => void fromParser.add(script);

/**
 * Runs a script. The page's element stays where it is, because frameworks keep hold of what they render. One
 * that was made by `innerHTML` never runs: a copy before it does. Resolves when the next one may run.
 */
function start(script: HTMLScriptElement): Promise<unknown> | false | undefined {
  const isHeld = holds && isAuto(script);
  // What a script of the page has made, and nobody has marked up, is as trusted as that one.
  const made = isHeld && isMade(script);
  if (!made && nonce && script.nonce !== nonce) return;
  const isAsync = made ? script.async : script.hasAttribute('async');
  const source = sourceOf(script);
  const { type } = holds ? { type: typeOf(script) } : script.dataset;
  const waits = !made && source !== null && !isAsync && !isSkipped(script);
  const make = trusted();
  // The parser leaves `async` off only when it works for `innerHTML`; Firefox, which alone has `netscape`, never does.
  const isOwn =
    made ||
    // What is held and was not made is the parser's.
    ((isHeld || fromParser.has(script)) && script.async && !(window as { netscape?: object }).netscape);
  const one = isOwn ? script : h('script');
  for (const { name, value } of [...script.attributes]) {
    if (isOwn)
      (isHeld ? DROPPED_HELD : DROPPED).test(name) &&
        (holds ? drop(script, name) : script.removeAttribute(name));
    // Only event handlers need a trusted value; any other attribute takes it as text.
    else if (!(isHeld ? DROPPED_HELD : DROPPED).test(name)) one.setAttribute(name, make.createScript(value));
  }
  if (type) one.type = type;
  // Copied as a property, because browsers hide the attribute's value.
  one.nonce = script.nonce as string;
  one.async = isAsync;
  const done =
    waits &&
    new Promise((resolve) => {
      one.addEventListener('load', resolve);
      one.addEventListener('error', resolve);
    });
  // By itself, a write would replace the whole page; browsers ignore it in scripts with a source.
  const { write, writeln } = document;
  document.write = document.writeln = () => undefined;
  try {
    if (source === null) one.text = make.createScript(script.text);
    else one.src = make.createScriptURL(source);
    // Moved, it would run once more.
    if (isHeld && !isOwn) script.type = 'text/plain';
    if (!isOwn) script.before(one);
  } finally {
    Object.assign(document, { write, writeln });
  }
  return done;
}
