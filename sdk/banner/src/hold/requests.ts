import { type HeldOne, type Hold, MOST } from './guard.js';
import type { Waits } from './rules.js';
import { addressOf } from './rules.js';

/** Requests by which scripts of the page tell others something: they wait, too, and fail when they are refused. */
export function holdRequests(guard: Hold): void {
  const wait = (rule: Waits, send: () => void, refuse: () => void): void => {
    if (guard.decided || guard.requests.size >= MOST) refuse();
    else guard.requests.add({ rule, send, refuse });
  };
  const { fetch } = window;
  window.fetch = function (this: unknown, ...all) {
    const [target] = all;
    const rule = guard.held('fetch', target instanceof Request ? target.url : target);
    return rule
      ? new Promise((resolve, reject) =>
          wait(
            rule,
            () => resolve(fetch.apply(window, all)),
            () => reject(new TypeError('Failed to fetch')),
          ),
        )
      : fetch.apply(this as Window, all);
  };
  const { sendBeacon } = Navigator.prototype;
  if (sendBeacon)
    Navigator.prototype.sendBeacon = function (...all) {
      const rule = guard.held('beacon', all[0]);
      if (!rule) return sendBeacon.apply(this, all);
      wait(
        rule,
        () => sendBeacon.apply(this, all),
        () => undefined,
      );
      return true;
    };
  byXhr(guard, wait);
}

type Wait = (rule: Waits, send: () => void, refuse: () => void) => void;

function byXhr(guard: Hold, wait: Wait): void {
  const { open, send, abort } = XMLHttpRequest.prototype;
  /** By its last `open`: where it goes, and whether the page waits for it meanwhile. */
  const opened = new WeakMap<XMLHttpRequest, { url: unknown; isSync: boolean }>();
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...all: unknown[]) {
    opened.set(this, { url: addressOf(all[1])?.href, isSync: all.length > 2 && !all[2] });
    return open.apply(this, all as never);
  } as typeof open;
  XMLHttpRequest.prototype.send = function (...all) {
    const call = opened.get(this);
    const kind: HeldOne['kind'] = 'xhr';
    const rule = call && this.readyState === 1 ? guard.held(kind, call.url) : undefined;
    if (!rule || !call) return send.apply(this, all);
    // It cannot wait.
    if (call.isSync) throw new DOMException('A network error occurred.', 'NetworkError');
    const still = (): boolean => opened.get(this) === call && this.readyState === 1;
    wait(
      rule,
      () => still() && send.apply(this, all),
      () => {
        for (const name of ['error', 'loadend']) if (still()) this.dispatchEvent(new ProgressEvent(name));
      },
    );
  };
  XMLHttpRequest.prototype.abort = function () {
    opened.delete(this);
    abort.call(this);
  };
}
