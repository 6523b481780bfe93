import { current, sessionId } from './consent.js';
import type { ConsentEvent, Interaction, InteractionName, Texts, Vendor } from './contract.js';
import { doc } from './document.js';
import { read, write } from './memory.js';
import { bare, own } from './own.js';
import { json, pageUrl, preview, tag, uuid } from './page.js';
import { asks } from './region.js';
import { restate } from './restate.js';

/** The time limit of one attempt, in milliseconds: the next decision waits for it. */
const TIMEOUT = 10_000;
const MAX_INTERACTIONS = 100;

/** Where decisions go: the server, or the path of the page's own host that leads to it. */
const server = tag?.getAttribute('data-server') ?? config.server;

export const urlOf = (path: string): string => `${server}/api/${path.replace('*', config.token)}`;

/** Fails when there is no answer within this many milliseconds. */
const ask = (path: string, limit: number, more?: RequestInit): Promise<Response> =>
  fetch(urlOf(path), { ...more, credentials: 'omit', signal: AbortSignal.timeout?.(limit) as AbortSignal });

/**
 * Sends as `text/plain`, which needs no CORS preflight; with `keepalive` the request survives the page.
 * Resolves to the status, or 0 without an answer.
 */
const post = (path: string, body: object): Promise<number> =>
  ask(path, TIMEOUT, { method: 'POST', body: json(body), keepalive: true }).then(
    ({ status }) => status,
    () => 0,
  );

const beacon = (path: string, body: object): void => {
  navigator.sendBeacon?.(urlOf(path), json(body));
};

/** What the answer to a question holds; undefined where it is no success. */
export const answerOf = (
  path: string,
  body: object,
  limit: number,
): Promise<Record<string, string> | undefined> =>
  ask(path, limit, { method: 'POST', body: json(body) })
    .then(async (answer) => (answer.ok ? bare(await answer.json()).data : undefined))
    .catch(() => undefined);

let first: Promise<unknown> | undefined;
/** Has decisions wait for something that the server records, too: they are the last there. */
export const flushAfter = (work: Promise<unknown>): void => {
  first = work;
};

let sending = false;

/** Decisions that the server has not confirmed, the oldest first. */
const unsent = (): ConsentEvent[] => (read()?.unsent ?? []).map(({ at: _, ...event }) => event);

/**
 * Sends decisions that the server has not confirmed, in order, so that the last one is also the last on the
 * server. After a failure they are sent again later.
 */
export async function flush(): Promise<void> {
  if (sending || preview) return;
  sending = true;
  if (linked) await first;
  if (shares) restate();
  for (;;) {
    const [next] = unsent();
    if (!next) break;
    const status = await post('v/*/ce', next);
    // Stops, and keeps the decision, when a later attempt may succeed; a decision that is refused for good is
    // dropped.
    if (status < 200 || status === 408 || status === 429 || status >= 500) break;
    // While this one waited for its answer, another host may have taken another decision.
    if (shares) restate();
    const memory = read();
    if (memory) write({ ...memory, unsent: memory.unsent.filter((one) => one.event_id !== next.event_id) });
  }
  sending = false;
}

let interactions: Interaction[] = [];
let engaged = false;
let counted = false;

/** Collects an interaction with the banner; they are sent when the page is left. */
export function track(name: InteractionName, category?: string): void {
  if (preview || interactions[MAX_INTERACTIONS - 1]) return;
  interactions.push({ name, at: new Date().toISOString(), category: category as string });
}

/** Notes that a layer was shown: only then are interactions sent. */
export function engage(): void {
  engaged = true;
}

/** Reports once per page view that the banner was shown. */
export function impression(language: string): void {
  if (preview || counted) return;
  counted = true;
  void post('impressions/*', {
    event_id: uuid(),
    page_url: pageUrl(),
    language,
    bundle_hash: hash,
    // Whether the visitor is asked, and not told: by no rule that only informs, nor after Global Privacy Control, which decides.
    // biome-ignore lint/suspicious/noAssignInExpressions: programs that hold have no room for a second mention.
    ...(tested && { in_test: (inTest = asks() && !current) }),
  });
}

/** Whether this page view has an impression that counts in the test and that nothing has ended. */
let inTest = false;

/** Whether a decision ends it. */
export const endsImpression = (): boolean => {
  const is = inTest;
  inTest = false;
  return is;
};

/** Those of the last one's session; what is stated for another is a report of its own. */
const ofOne = (waiting: ConsentEvent[]): ConsentEvent[] => {
  const { session_id } = waiting.slice(-1)[0] ?? {};
  return waiting.filter((one) => one.session_id === session_id || beacon('v/*/ce', one));
};

/**
 * Sends everything by beacon, because the page may end now and cancel requests in flight. The server
 * recognises an event that it gets twice by its id.
 */
function leave(): void {
  if (preview) return;
  if (shares) restate();
  // One request for all decisions, because requests of an ending page may overtake each other.
  const earlier = linked ? ofOne(unsent()) : unsent();
  const last = earlier.pop();
  if (last) beacon('v/*/ce', { ...last, earlier: earlier[0] && earlier });
  if (!engaged || !interactions[0]) return;
  beacon('v/*/e', { event_id: uuid(), session_id: sessionId(), events: interactions });
  interactions = [];
}

export function sendOnLeave(): void {
  addEventListener('pagehide', leave);
  doc.addEventListener('visibilitychange', () => {
    if (doc.hidden) leave();
  });
  addEventListener('online', flush);
}

/** The longest time that a visitor waits for texts or vendors, in milliseconds. */
const LOAD_TIMEOUT = 3000;

/** Loads what a file of this bundle has; undefined when the server does not deliver it in time. */
export async function load<Found extends Texts | Vendor[]>(
  name: 'texts' | 'vendors',
  path: string = name,
): Promise<Found | undefined> {
  try {
    const answer = await ask(`bundles/*/${hash}/${path}`, LOAD_TIMEOUT);
    // What an error says has neither.
    return own<Found>(own(await answer.json(), 'data'), name);
  } catch {
    return;
  }
}
