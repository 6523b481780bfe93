import { orderOf } from '../../src/cookie/format.js';
import { apply } from './blocking.js';
import {
  allChoices,
  allowed,
  consent,
  current,
  enforce,
  fresh,
  refusals,
  ruleNow,
  sessionId,
  vendorsNow,
} from './consent.js';
import type { Decision, StatedMethod } from './contract.js';
import { deleteCookies } from './cookies.js';
import { draw } from './drawn.js';
import { emit } from './events.js';
import { signal } from './google.js';
import { settle as settleGpp, update } from './gpp/cmp.js';
import { gppOf } from './gpp/signal.js';
import { DAY, isOutdated, MAX_UNSENT, type Memory, read, type Waiting, write } from './memory.js';
import { denied, gpc, pageUrl, pause, uuid } from './page.js';
import { asks, isSettled, place, settleRule } from './region.js';
import { endsImpression, flush } from './send.js';
import { asksByTcf, sign } from './tcf/choice.js';
import { announce, settle } from './tcf/cmp.js';
import { chosenVendors, idsOn, without } from './vendors/choice.js';
import { reconsiderOffers } from './vendors/offers.js';
import { forgetLoaded } from './vendors/once.js';
import { hide, languageRead, open } from './view.js';

export const optional = config.categories.filter(({ required }) => !required).map(({ key }) => key);

/** The date of the stored decision that was last judged, in force or not. */
let seen: number | undefined;

/**
 * The stored decision if it is still in force. It is not, and the visitor is asked again, after a new policy
 * version, when consent has expired, for a new category, or when it was made by Global Privacy Control, which
 * is now off. Nor where another subdomain may have withdrawn it since.
 */
function inForce(memory: Memory | null): Memory | null {
  seen = memory?.at;
  if (!memory || memory.policy_version !== config.policy_version) return null;
  if (shares && isOutdated(memory)) return null;
  const age = Date.now() - memory.at;
  // A date in the future means that the clock has been corrected since.
  if (age < -DAY || age > config.consent_lifetime_days * DAY) return null;
  if (memory.method === 'gpc' && !gpc()) return null;
  if (regional && isOverruled(byVendor ? { ...memory, categories: allChoices(memory) } : memory)) return null;
  if (tcf && asksByTcf() && !(memory.tc && memory.tc_asks === config.tcf?.asks)) return null;
  return optional.every((key) => key in memory.categories) ? memory : null;
}

/**
 * Whether what a decision allows is not in force here. It was allowed by a rule under which switches are on from the
 * start, and the visitor is now, or as far as is known, where a consent is needed (CJEU C-673/17, Planet49). Or the
 * browser sends Global Privacy Control since, under which the visitor has not decided otherwise: where they are asked
 * first their consent is more particular, elsewhere the signal counts (11 CCR § 7025(c)), and until the rule is known it
 * may.
 */
const isOverruled = ({ rule: made = 'opt_in', gpc: known, categories }: Memory): boolean =>
  Object.values(categories).includes(true) &&
  ((asks() && made !== 'opt_in') || (gpc() && !known && !(isSettled && asks())));

/** Applies the rule of the region, once it is known. */
export function obey(): void {
  settleRule();
  const memory = read();
  // What was made since comes first, and what was in force stays so; else what is stored may be in force by this rule.
  const next = since(memory) ?? inForce(memory);
  if (next !== current || (!asks() && !current)) {
    if (!current) {
      // First, so that no change is reported: this is what the page begins with.
      enforce(next);
      tell();
    }
    take(next);
  }
  if (tcf) settle(asks());
  if (gpp) settleGpp();
  emit('rule', ruleNow());
}

/** Reads the decision of an earlier visit. Without the snippet's stub, no script of the page has run yet. */
export function recall(): void {
  if (!denied) signal('default', allowed);
  enforce(inForce(read()));
  // Not the stored id of a visitor who is asked again: each would see the same version every time, and their answers would
  // not be independent.
  if (tested) draw(current?.session_id ?? fresh);
  if (regional || byVendor) tell();
  // After the stub in any case: it has denied what needs no consent, too, and tags wait for this.
  if (denied || current) signal('update', allowed);
}

/**
 * What holds here of a decision that was made since: what is in force, or refuses. One by other settings than this page's
 * allows nothing here, and the page is told so; one that only the rule may still let in is judged again once that is
 * known. What was only stored again changes nothing; when storage was cleared, the decision in force stays.
 */
const since = (next: Memory | null): Memory | null => {
  if (!next || next.at === seen) return current;
  if (tcf && next.decision === 'reject_all') return next;
  const found = inForce(next);
  if (regional && !found && !isSettled) seen = 0;
  return (
    found ??
    ({
      ...next,
      categories: { __proto__: null },
      ...(byVendor && { vendors: { __proto__: null } }),
      ...(tcf && { tc: '' }),
    } as never)
  );
};

/** Stores the latest decision again, also one that was made on another subdomain. */
export function keep(): void {
  const memory = read();
  if (memory) write(memory);
}

/** Takes the decision that another tab or subdomain has made since. Returns whether another decision is in force now. */
export function follow(): boolean {
  const next = since(read());
  const isNew =
    (tcf && next?.tc !== current?.tc) || next?.at !== current?.at || next?.decision !== current?.decision;
  // Made elsewhere: it is no answer to what this page view shows.
  if (tested && isNew) endsImpression();
  if (isNew) take(next);
  if (tcf && isNew) announce('tcloaded');
  if (gpp && isNew) update();
  return isNew;
}

/** Later than the decision before, as two of one moment would pass for one; not than one of a clock that is days ahead. */
const later = (now: number, memory: Memory | null): number =>
  memory && memory.at < now + DAY ? Math.max(now, memory.at + 1) : now;

/** Takes a decision: stores it, applies it, notifies the page and sends it. */
export function decide(
  decision: Decision,
  method: StatedMethod,
  allows: (key: string) => boolean = () => decision === 'accept_all',
): void {
  const memory = read();
  const shown = current;
  // What another subdomain has decided since: this answer builds on it.
  if (shares) enforce(since(memory));
  const signed = tcf ? sign(decision, method, allows, current, memory, languageRead()) : undefined;
  const categories = Object.fromEntries(
    optional.map((key) => [key, (tcf && signed ? signed.allows : allows)(key)]),
  );
  const vendors = byVendor ? chosenVendors(decision, allows) : undefined;
  // Back, so that the page is told of all that changes.
  if (shares) enforce(shown);
  const session_id = sessionId();
  const at = shares ? later(Date.now(), memory) : Date.now();
  const event: Waiting = {
    at,
    event_id: uuid(),
    session_id,
    decision,
    ...(decision === 'save_preferences' && { allowed: optional.filter((key) => categories[key]) }),
    language: languageRead(),
    // What is undefined is in no JSON.
    page_url: pageUrl() as string,
    banner_version: config.settings_version,
    bundle_hash: hash,
    method,
  };
  if (tested && endsImpression()) event.ends_impression = true;
  if (regional) Object.assign(event, place);
  if (tcf && signed) event.tc_string = signed.tc;
  if (gpp) Object.assign(event, gppOf(categories, vendors, signed?.tc));
  if (byVendor && vendors && decision === 'save_preferences') event.allowed_vendors = idsOn(vendors);
  const made = write({
    session_id,
    decision,
    categories,
    method,
    ...(regional && {
      rule: place.rule,
      gpc: gpc() && ((method === 'gpc' && refusals(memory).join('.')) || '1'),
    }),
    policy_version: config.policy_version,
    ...(byVendor && vendors && { vendors }),
    ...(tcf && signed && { tc: signed.tc, tc_asks: config.tcf?.asks ?? '' }),
    at,
    // After the decision before, by whatever clock: else that one would win on other hosts.
    ...(shares && memory && orderOf(memory) >= at && { order: orderOf(memory) + 1 }),
    unsent: [...(memory?.unsent ?? []), event].slice(-MAX_UNSENT),
  });
  // It is none that was made elsewhere.
  if (regional) seen = at;
  // Not what is read then: it may be a decision that this one could not replace.
  take(made);
  if (tcf) announce(method === 'gpc' ? 'tcloaded' : 'useractioncomplete');
  if (gpp) update();
  void flush();
}

/** Whether a stored decision is in force by the rule of now. It is judged beside those that the page follows. */
export function isInForce(memory: Memory): boolean {
  const before = seen;
  const is = !!inForce(memory);
  seen = before;
  return is;
}

/** Puts a decision in force that was made elsewhere, and stores it; not one that cannot be. What asks the visitor stays. */
export function enact(next: Memory): void {
  if (!isInForce(next)) return;
  seen = next.at;
  // It is no answer to what this page view shows.
  if (tested) endsImpression();
  take(write(next));
  // Also what is still loading. Switches that were set by what was in force before would bring it back.
  if (open?.layer !== 'banner') void hide();
}

/**
 * What the page was told that is allowed, where a rule can allow it while nothing is decided: once a refusal is stored, by
 * whatever page, the rule allows it no more.
 */
let told: string[] = [];
let toldVendors: number[] = [];
function tell(): void {
  told = optional.filter(allowed);
  if (byVendor) toldVendors = idsOn(vendorsNow());
}

/** Applies a decision. Signals come first, because released tags read them. */
function take(next: Memory | null): void {
  const before = regional ? told : optional.filter(allowed);
  const vendorsBefore = toldVendors;
  enforce(next);
  if (regional || byVendor) tell();
  const now = regional ? told : optional.filter(allowed);
  signal('update', allowed);
  const given = consent();
  deleteCookies(allowed);
  if (byVendor) {
    // Not for an answer on other content.
    if (next?.method !== 'placeholder') forgetLoaded();
    reconsiderOffers();
  }
  // Released scripts may be slow, so the page responds to the click first. Cookies are deleted again, because
  // frames can set some until they are emptied.
  void pause()
    .then(apply)
    .then(() => deleteCookies(allowed));
  if (!given) return;
  emit('consent', given);
  // A listener may have made another decision.
  if (current !== next) return;
  const granted = now.filter((key) => !before.includes(key));
  const withdrawn = before.filter((key) => !now.includes(key));
  if (byVendor) {
    const granted_vendors = without(toldVendors, vendorsBefore);
    const withdrawn_vendors = without(vendorsBefore, toldVendors);
    if (granted[0] ?? withdrawn[0] ?? granted_vendors[0] ?? withdrawn_vendors[0])
      emit('change', { ...given, granted, withdrawn, granted_vendors, withdrawn_vendors });
  } else if (granted[0] ?? withdrawn[0]) emit('change', { ...given, granted, withdrawn });
}
