interface Waiting {
  script: HTMLScriptElement;
  /** Resolves when what stands before it is done; undefined when it is. */
  turn: () => Promise<void> | undefined;
  free: () => boolean;
}

/** What describes the blocked state, and is left out of the script that runs. */
const DROPPED = /^(type|data-type|(data-)?src)$/;

/** Types of scripts that browsers run. */
const RUNS = /^$|^module$|(java|ecma)script/i;

const same = (text: string): string => text;
const passing = { createScript: same, createScriptURL: same };
type Policy = typeof passing;
const { trustedTypes } = window as {
  trustedTypes?: { defaultPolicy: unknown; createPolicy(name: string, rules: Policy): Policy };
};
let policy: Policy | undefined;

/**
 * Trusted Types: what the page's own markup says is made a script by the page's default policy, or else by
 * ours.
 */
function trusted(): Policy {
  try {
    if (!trustedTypes?.defaultPolicy) policy ??= trustedTypes?.createPolicy('avow', passing);
  } catch {
    // The page's Content-Security-Policy does not allow it.
  }
  return policy ?? passing;
}

const soon: Waiting[] = [];
/** Deferred scripts and modules, which run after the document is read, as they would have. */
const later: Waiting[] = [];
let running = false;

/** Runs a script when its turn comes, if it is still free to run then. */
export function queue(script: HTMLScriptElement, turn: Waiting['turn'], free: () => boolean): void {
  const deferred = isModule(script) || (script.defer && sourceOf(script) !== null);
  const waits = deferred && !script.hasAttribute('async') && document.readyState === 'loading';
  (waits ? later : soon).push({ script, turn, free });
  if (waits && later.length === 1) {
    document.addEventListener('DOMContentLoaded', () => {
      soon.push(...later.splice(0));
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

/** In order, each after the one before unless that is `async`. */
async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (let next = soon.shift(); next; next = soon.shift()) {
    try {
      const before = next.turn();
      if (before) await before;
      if (next.free()) await start(next.script);
    } catch {
      // A page with Trusted Types may refuse one: those after it have their turn.
    }
  }
  running = false;
}

/** A script runs only when it is new: its copy takes its place. Resolves when the next may run. */
function start(script: HTMLScriptElement): Promise<unknown> | undefined {
  const copy = document.createElement('script');
  const make = trusted();
  // Only event handlers must be made; any other attribute takes the same as its text.
  for (const { name, value } of script.attributes)
    if (!DROPPED.test(name)) copy.setAttribute(name, make.createScript(value));
  const { type } = script.dataset;
  if (type) copy.type = type;
  // Browsers hide the attribute's value from the page.
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
