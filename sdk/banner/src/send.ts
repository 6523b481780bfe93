import type { Interaction, InteractionName, Texts, Vendor } from './contract.js';
import { read, write } from './memory.js';
import { pageUrl, preview, uuid } from './page.js';

/** How long one attempt may take, in milliseconds: the next decision waits for it. */
const TIMEOUT = 10_000;
const MOST_INTERACTIONS = 100;

const urlOf = (path: string): string => `${config.server}/api/${path.replace('*', config.token)}`;

/**
 * As `text/plain`, which needs no pre-flight; `keepalive` lets it outlive the page. Resolves to the status, 0
 * without an answer.
 */
const post = (path: string, body: object): Promise<number> =>
  fetch(urlOf(path), {
    method: 'POST',
    body: JSON.stringify(body),
    keepalive: true,
    credentials: 'omit',
    signal: AbortSignal.timeout?.(TIMEOUT) ?? null,
  }).then(
    ({ status }) => status,
    () => 0,
  );

const beacon = (path: string, body: object): void => {
  navigator.sendBeacon?.(urlOf(path), JSON.stringify(body));
};

let sending = false;

/**
 * Sends what the server has not confirmed, in order: the last decision must be the last there too. Tried
 * again later when it fails.
 */
export async function flush(): Promise<void> {
  if (sending || preview) return;
  sending = true;
  for (let next = read()?.unsent[0]; next; next = read()?.unsent[0]) {
    const status = await post('v/*/ce', next);
    // Decisions that the server refuses for good are dropped; others are kept.
    if (status < 200 || status === 408 || status === 429 || status >= 500) break;
    const { event_id } = next;
    const memory = read();
    if (memory) write({ ...memory, unsent: memory.unsent.filter((event) => event.event_id !== event_id) });
  }
  sending = false;
}

let interactions: Interaction[] = [];
let engaged = false;
let counted = false;

/** Collects interactions with the banner until the page is left. */
export function track(name: InteractionName, category?: string): void {
  if (preview || interactions.length >= MOST_INTERACTIONS) return;
  interactions.push({ name, at: new Date().toISOString(), ...(category && { category }) });
}

/** A layer was shown: from now on interactions are worth a request. */
export function engage(): void {
  engaged = true;
}

/** Counts that the banner was shown, once a page view. */
export function impression(language: string): void {
  if (preview || counted) return;
  counted = true;
  void post('impressions/*', { event_id: uuid(), page_url: pageUrl(), language, bundle_hash: hash });
}

/**
 * The page may end now, and a request in flight with it: the server knows an event that it gets twice by its
 * id.
 */
function leave(session_id: string): void {
  if (preview) return;
  // Requests of a page that ends may overtake each other: one tells the last decision and all that it
  // follows.
  const earlier = [...(read()?.unsent ?? [])];
  const last = earlier.pop();
  if (last) beacon('v/*/ce', { ...last, earlier: earlier[0] && earlier });
  if (!engaged || interactions.length === 0) return;
  beacon('v/*/e', { event_id: uuid(), session_id, events: interactions });
  interactions = [];
}

export function sendOnLeave(session: () => string): void {
  addEventListener('pagehide', () => leave(session()));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave(session());
  });
  addEventListener('online', () => void flush());
}

/** The longest that a visitor waits for data outside the script, in milliseconds. */
const LOAD_TIMEOUT = 3000;

/** Loads a file of this bundle on demand; undefined when the server does not deliver it in time. */
export async function load(path: string): Promise<{ texts?: Texts; vendors?: Vendor[] } | undefined> {
  try {
    const url = `${config.server}/api/bundles/${config.token}/${hash}/${path}`;
    const signal = AbortSignal.timeout?.(LOAD_TIMEOUT) ?? null;
    const answer = await fetch(url, { credentials: 'omit', signal });
    // An error's `data` has neither.
    return (await answer.json()).data;
  } catch {
    return undefined;
  }
}
