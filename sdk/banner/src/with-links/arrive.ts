import type { Taken } from '../contract.js';
import { adopt } from '../decide.js';
import { doc } from '../document.js';
import { read } from '../memory.js';
import { gpc, pageUrl, preview } from '../page.js';
import { place } from '../region.js';
import { answerOf, flushAfter } from '../send.js';
import { languageRead } from '../view.js';
import { leads } from './hosts.js';
import { within } from './within.js';

/** How long a visitor waits for it who would be asked otherwise, and how long an answer counts, in milliseconds. */
const PATIENCE = 1000;
const TIMEOUT = 5000;

/** Settles when the choice that came along is in force, or the visitor has waited long enough. */
export let arrived: Promise<unknown> | undefined;

/**
 * Takes over the choice of this token, once the rule is known, which is part of what is recorded. Only from a page of another
 * of the domains: whoever else leads a visitor here could decide for them.
 */
export async function takeOver(token: string, located: Promise<void> | undefined): Promise<void> {
  await located;
  const before = read();
  const hostname = doc.referrer.split(/^https?:\/\/|[/:]/)[1] as string;
  if (preview || gpc() || before?.unsent[0] || !leads({ protocol: 'https:', hostname })) return;
  const body = {
    link: token,
    own_session_id: before?.session_id,
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
  arrived = within(PATIENCE, taking);
}
