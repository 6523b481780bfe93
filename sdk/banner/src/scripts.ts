interface Waiting {
  script: HTMLScriptElement;
  /** Resolves when the elements before it are done; undefined when they are already. */
  turn: () => Promise<void> | undefined;
  free: () => boolean;
}

/** Attributes of the blocked state, which are not copied to the script that runs. */
const DROPPED = /^(type|data-type|(data-)?src)$/;

/** The types of scripts that browsers run. */
const RUNS = /^$|^module$|(java|ecma)script/i;

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
  const waits = deferred && !script.hasAttribute('async') && document.readyState === 'loading';
  (waits ? deferredQueue : ready).push({ script, turn, free });
  if (waits && deferredQueue.length === 1) {
    document.addEventListener('DOMContentLoaded', () => {
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
  (script.noModule && !isModule(script)) || !RUNS.test(script.dataset.type ?? '');
const isModule = (script: HTMLScriptElement): boolean => script.dataset.type === 'module';

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

/** Replaces a script by a copy, because browsers run only new scripts. Resolves when the next one may run. */
function start(script: HTMLScriptElement): Promise<unknown> | undefined {
  const copy = document.createElement('script');
  const make = trusted();
  // Only event handlers need a trusted value; any other attribute takes it as text.
  for (const { name, value } of script.attributes)
    if (!DROPPED.test(name)) copy.setAttribute(name, make.createScript(value));
  const { type } = script.dataset;
  if (type) copy.type = type;
  // Copied as a property, because browsers hide the attribute's value.
  copy.nonce = script.nonce ?? '';
  copy.async = script.hasAttribute('async');
  const source = sourceOf(script);
  if (source === null) copy.text = make.createScript(script.text);
  else copy.src = make.createScriptURL(source);
  const done =
    source === null || copy.async || isSkipped(script)
      ? undefined
      : new Promise((resolve) => {
          copy.addEventListener('load', resolve);
          copy.addEventListener('error', resolve);
        });
  script.replaceWith(copy);
  return done;
}
