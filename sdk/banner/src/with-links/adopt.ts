import { orderOf } from '../../../src/cookie/format.js';
import { allowedNow, current, vendorsNow } from '../consent.js';
import type { Taken } from '../contract.js';
import { enact, optional } from '../decide.js';
import { allowsMore, DAY, MAX_UNSENT, type Memory, markAfter, read, type Waiting, write } from '../memory.js';
import { json, pageUrl, uuid } from '../page.js';
import { idsOn } from '../vendors/choice.js';
import { dismissed, languageRead, open } from '../view.js';

/** Whose a decision is, and what it says. */
const saying = ({ session_id, decision, categories, vendors }: Memory): string =>
  json([session_id, decision, optional.map((key) => categories[key]), byVendor && vendors]);

/** What a stored decision is sent as once more, without a bundle, for that page's banner may have been another. */
const sentAgain = ({ decision, categories, vendors, method, rule }: Memory): Waiting =>
  ({
    at: Date.now(),
    decision,
    ...(decision === 'save_preferences' && {
      allowed: optional.filter((key) => categories[key]),
      ...(byVendor &&
        vendors && {
          allowed_vendors: idsOn(vendors),
          refused_vendors: Object.keys(vendors)
            .map(Number)
            .filter((id) => !vendors[id]),
        }),
    }),
    language: languageRead(),
    page_url: pageUrl(),
    banner_version: config.settings_version,
    method,
    ...(regional && rule && { rule }),
  }) as Waiting;

type Choices = Record<string, boolean>;

/** What two choices allow both. */
const bothOf = (some: Choices, others: Choices): Choices =>
  Object.fromEntries(Object.entries(some).map(([key, is]) => [key, is && others[key] === true]));

/**
 * States a decision for another session, too, whose choice the server has recorded here meanwhile: a consent would stay in
 * force in it after this refusal. Where neither allows less, only what both allow; nothing where that is what the session
 * has, nor for a decision that a link has brought.
 */
function stateFor({ session_id, categories, vendors }: Taken, memory: Memory | null): void {
  if (!memory || memory.session_id === session_id || memory.method === 'link') return;
  const both: Memory = {
    ...memory,
    categories: bothOf(memory.categories, categories),
    ...(byVendor && memory.vendors && { vendors: bothOf(memory.vendors, vendors ?? {}) }),
  };
  const isBeyond = (allows: Choices, wanted: Choices = {}): boolean =>
    optional.some((key) => allows[key] && !both.categories[key]) ||
    (byVendor && idsOn(wanted).some((id) => !both.vendors?.[id]));
  if (!isBeyond(categories, vendors)) return;
  const last = memory.unsent.slice(-1)[0];
  const event: Waiting = {
    // Another tab or host has made it, and perhaps sent it.
    ...(isBeyond(memory.categories, memory.vendors)
      ? sentAgain({ ...both, decision: 'save_preferences' })
      : last?.session_id === memory.session_id && last.at === memory.at
        ? last
        : sentAgain(memory)),
    event_id: uuid(),
    session_id,
    // Once, for its own.
    ends_impression: false,
  };
  // Ahead, so that the last one that waits is still the decision that is stored.
  write({ ...memory, unsent: [event, ...memory.unsent.slice(1 - MAX_UNSENT)] });
}

/**
 * Takes over a decision that the visitor has made on another domain of the site, and that the server has recorded for this
 * one. Not where they have decided here since it was asked for, nor what is in force here already or cannot be.
 */
export function adopt(taken: Taken, before: Memory | null): void {
  const { session_id, decision, categories, vendors, policy_version, rule } = taken;
  const memory = read();
  if (memory?.at !== before?.at || memory?.session_id !== before?.session_id || memory?.unsent[0]) {
    stateFor(taken, memory);
    return;
  }
  // As old as the decision, or older where it ends sooner than the lifetime of now has it.
  const ago = Math.max(
    taken.decided_seconds_ago * 1000,
    config.consent_lifetime_days * DAY - taken.expires_in_seconds * 1000,
  );
  const at = Date.now() - ago;
  const next: Memory = {
    session_id,
    decision,
    categories,
    method: 'link',
    ...markAfter(memory),
    ...(regional && rule && { rule }),
    policy_version,
    ...(byVendor && vendors && { vendors }),
    at,
    ...(shares && memory && orderOf(memory) >= at && { order: orderOf(memory) + 1 }),
    unsent: [],
  };
  if (current && saying(current) === saying(next)) return;
  // Who is being asked, or has closed what asked, gives their own answer: only a refusal comes before it.
  if (
    (open || dismissed) &&
    allowsMore(next, { categories: allowedNow(), ...(byVendor && { vendors: vendorsNow() }) })
  )
    return;
  enact(next);
}
