import type { AvowBanner } from '../../src/banner.js';
import { answer } from './answer.js';
import { consent, isKnown, ruleNow } from './consent.js';
import { listen } from './events.js';
import { heldNow } from './hold/keep.js';
import { safely } from './page.js';
import { isSettled } from './region.js';
import { vendorCalls } from './vendors/calls.js';
import { dismiss, show } from './view.js';
import { linkTo } from './with-links/leave.js';

/**
 * The interface for the page: the value of `window.Avow` from now on. Nothing is shown before the first
 * paint.
 */
export function createApi(painted: Promise<void>, isReady: () => boolean): AvowBanner {
  const api: AvowBanner = {
    show: (layer = consent() ? 'settings' : 'banner') => void painted.then(() => show(layer)),
    hide: () => void painted.then(dismiss),
    accept: () => answer('accept_all', 'api'),
    reject: () => answer('reject_all', 'api'),
    save: (categories) => {
      const given = { __proto__: null, ...categories } as never;
      const unknown = Object.keys(categories).find((name) => !isKnown(name));
      if (unknown != null) throw new Error(`Avow.save: this site has no category "${unknown}".`);
      answer('save_preferences', 'api', (key) => given[key] === true);
    },
    getConsent: consent,
    on: (name, tell: (detail: never) => void) => {
      const now = consent();
      if (isReady() && (name === 'ready' || (name === 'consent' && now))) safely(() => tell(now as never));
      if (regional && isSettled && name === 'rule') safely(() => tell(ruleNow() as never));
      if (holds && name === 'held')
        for (const { released: _, ...one } of heldNow()) safely(() => tell(one as never));
      return listen(name, tell);
    },
    push: (...calls) => {
      for (const call of calls) {
        safely(() => {
          const [name, ...parameters] = call;
          (api[name] as (...all: unknown[]) => unknown)(...parameters);
        });
      }
    },
  };
  if (byVendor) Object.assign(api, vendorCalls());
  if (holds) api.held = heldNow;
  if (linked) api.link = linkTo;
  return api;
}
