import { type HeldOne, type Hold, MOST } from './guard.js';
import type { Waits } from './rules.js';
import { addressOf } from './rules.js';

/** Requests by which scripts of the page tell others something: they wait, too, and fail when they are refused. */
export function holdRequests(guard: Hold): void {
  const wait: Wait = (url, send, refuse) => {
    // In a task of its own: what a page tries again at once must not stop the page.
    const request = { url, rule: guard.find(url) as Waits, send, refuse: () => void setTimeout(refuse) };
    if (guard.decided || guard.requests.size >= MOST) request.refuse();
    else guard.requests.add(request);
    return () => guard.requests.delete(request);
  };
  const { fetch } = window;
  window.fetch = function (this: unknown, ...all) {
    const [target, init] = all;
    const { url = target, signal = null } = target instanceof Request ? target : {};
    const stop = init?.signal ?? signal;
    const rule = guard.held('fetch', url);
    if (!rule || stop?.aborted) return fetch.apply(this as Window, all);
    return new Promise((resolve, reject) => {
      const forget = wait(
        url,
        () => resolve(fetch.apply(window, all)),
        () => reject(new TypeError('Failed to fetch')),
      );
      stop?.addEventListener('abort', () => {
        forget();
        reject(stop.reason);
      });
    });
  };
  const { sendBeacon } = Navigator.prototype;
  if (sendBeacon)
    Navigator.prototype.sendBeacon = function (...all) {
      const rule = guard.held('beacon', all[0]);
      if (!rule) return sendBeacon.apply(this, all);
      wait(
        all[0],
        () => sendBeacon.apply(this, all),
        () => undefined,
      );
      return true;
    };
  byXhr(guard, wait);
}

/** Answers what takes it back, and says whether it has still waited. */
type Wait = (url: unknown, send: () => void, refuse: () => void) => () => boolean;

/** By its last `open`: where it goes, whether the page waits for it meanwhile, and whether it was sent and has waited. */
interface Opened {
  url?: unknown;
  isSync?: boolean;
  isSent?: boolean;
}

function byXhr(guard: Hold, wait: Wait): void {
  const { open, send, abort } = XMLHttpRequest.prototype;
  const opened = new WeakMap<XMLHttpRequest, Opened>();
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...all: unknown[]) {
    // What a refusal has left.
    delete (this as { readyState?: number }).readyState;
    opened.set(this, { url: addressOf(all[1])?.href, isSync: all.length > 2 && !all[2] });
    return open.apply(this, all as never);
  } as typeof open;
  XMLHttpRequest.prototype.send = function (...all) {
    const call = opened.get(this);
    // The browser knows of no other one.
    if (call?.isSent) throw new DOMException('Already sent.', 'InvalidStateError');
    const kind: HeldOne['kind'] = 'xhr';
    const rule = call && this.readyState === 1 ? guard.held(kind, call.url) : undefined;
    if (!rule || !call) return send.apply(this, all);
    // It cannot wait.
    if (call.isSync) throw new DOMException('A network error occurred.', 'NetworkError');
    call.isSent = true;
    const still = (): boolean => opened.get(this) === call && this.readyState === 1;
    // As with a network error, of which no more can be read.
    const fail = (how: string): void => {
      if (!still()) return;
      Object.defineProperty(this, 'readyState', { value: 4, configurable: true });
      for (const name of ['readystatechange', how, 'loadend'])
        if (opened.get(this) === call) this.dispatchEvent(new ProgressEvent(name));
    };
    const forget = wait(
      call.url,
      () => still() && send.apply(this, all),
      () => fail('error'),
    );
    if (this.timeout) setTimeout(() => forget() && fail('timeout'), this.timeout);
  };
  XMLHttpRequest.prototype.abort = function () {
    // Another one: what has waited no longer does, and what was only opened can still be sent.
    opened.set(this, { ...opened.get(this) });
    abort.call(this);
  };
}
