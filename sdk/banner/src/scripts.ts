interface Waiting {
  script: HTMLScriptElement;
  free: () => boolean;
}

/** What describes the blocked state, and is left out of the script that runs. */
const DROPPED = /^(type|data-type|data-src)$/;

const soon: Waiting[] = [];
/** Deferred scripts and modules, which run after the document is read, as they would have. */
const later: Waiting[] = [];
let running = false;

/** Runs a script when its turn comes, if it is still free to run then. */
export function queue(script: HTMLScriptElement, free: () => boolean): void {
  const deferred = isModule(script) || (script.defer && sourceOf(script) !== null);
  const waits = deferred && !script.hasAttribute('async') && document.readyState === 'loading';
  (waits ? later : soon).push({ script, free });
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
const isModule = (script: HTMLScriptElement): boolean => script.dataset.type === 'module';

/** In order, each after the one before unless that is `async`. */
async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (let next = soon.shift(); next; next = soon.shift()) {
    try {
      if (next.free() && next.script.isConnected) await start(next.script);
    } catch {
      // A page with Trusted Types may refuse one: those after it have their turn.
    }
  }
  running = false;
}

/** A script runs only when it is new: its copy takes its place. Resolves when the next may run. */
function start(script: HTMLScriptElement): Promise<unknown> | undefined {
  const copy = document.createElement('script');
  for (const { name, value } of script.attributes) if (!DROPPED.test(name)) copy.setAttribute(name, value);
  const { type } = script.dataset;
  if (type) copy.type = type;
  // Browsers hide the attribute's value from the page.
  copy.nonce = script.nonce ?? '';
  copy.async = script.hasAttribute('async');
  const source = sourceOf(script);
  if (source === null) copy.text = script.text;
  else copy.src = source;
  const done =
    source === null || copy.async
      ? undefined
      : new Promise((resolve) => {
          copy.addEventListener('load', resolve);
          copy.addEventListener('error', resolve);
        });
  script.replaceWith(copy);
  return done;
}
