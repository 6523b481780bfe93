import type { OwnChoice, Taken } from '../contract.js';
import { isInForce } from '../decide.js';
import { doc } from '../document.js';
import { isByHand, type Memory, read } from '../memory.js';
import { gpc, pageUrl, preview } from '../page.js';
import { place } from '../region.js';
import { answerOf, flush, flushAfter } from '../send.js';
import { languageRead } from '../view.js';
import { adopt } from './adopt.js';
import { leads } from './hosts.js';
import { within } from './within.js';

/** How long a visitor waits for it who would be asked otherwise, and how long an answer counts, in milliseconds. */
const PATIENCE = 1000;
const TIMEOUT = 5000;

/** What the server must know of the choice of this domain, to tell which of two stays. */
const ownOf = (memory: Memory): OwnChoice => ({
  session_id: memory.session_id,
  categories: memory.categories,
  ...(byVendor && memory.vendors && { vendors: memory.vendors }),
  from_link: !isByHand(memory),
  in_force: isInForce(memory),
});

/** Settles when the choice that came along is in force, or the visitor has waited long enough. */
export let arrived: Promise<unknown> | undefined;

/**
 * Takes over the choice of this token. Only from a page of another of the domains: whoever else leads a visitor here could
 * decide for them. Resolves when the rule may let run what it lets: what is on its way may refuse it, unless a choice is in
 * force here.
 */
export async function takeOver(token: string): Promise<void> {
  const before = read();
  // Without a referrer this page, which is none of the others.
  if (preview || gpc() || before?.unsent[0] || !leads(new URL(doc.referrer || location.href))) return;
  const own = before && ownOf(before);
  const body = {
    link: token,
    // Also what is not in force, of whatever age and policy: it may be a refusal.
    own: own ?? undefined,
    bundle_hash: hash,
    language: languageRead(),
    page_url: pageUrl(),
    ...(regional && place),
  };
  const taking = answerOf('v/*/link/take', body, TIMEOUT)
    .then((found) => found && adopt(found as unknown as Taken, before))
    // Decisions wait for it, whatever the answer was.
    .catch(() => 0);
  flushAfter(taking);
  // What it has left to be stated.
  void taking.then(flush);
  arrived = within(PATIENCE, taking);
  if (regional && !own?.in_force) await arrived;
}
