import type { Taken } from '../contract.js';
import { adopt } from '../decide.js';
import { doc } from '../document.js';
import { read } from '../memory.js';
import { own } from '../own.js';
import { gpc, pageUrl, preview } from '../page.js';
import { place } from '../region.js';
import { answerOf, flushAfter } from '../send.js';
import { languageRead } from '../view.js';
import { isLinked } from './hosts.js';
import { within } from './within.js';

/** How long a visitor waits for it who would be asked otherwise, and how long an answer counts, in milliseconds. */
const PATIENCE = 1000;
const TIMEOUT = 5000;

/** Settles when the choice that came along is in force, or the visitor has waited long enough. */
export let arrived: Promise<unknown> | undefined;

/**
 * Takes over the choice of this token. Only from another page of the site: whoever else leads a visitor here could decide
 * for them. Resolves to whether it is in force.
 */
export function takeOver(token: string): Promise<boolean> {
  const before = read();
  const from = /^https?:\/\/([^/:]+)/.exec(doc.referrer)?.[1] ?? '';
  if (preview || gpc() || before?.unsent[0] || !isLinked(from) || !isLinked(location.hostname))
    return Promise.resolve(false);
  const body = {
    link: token,
    own_session_id: before?.session_id,
    bundle_hash: hash,
    language: languageRead(),
    page_url: pageUrl(),
    ...(regional && place),
  };
  const taking = answerOf('v/*/link/take', body, TIMEOUT).then(
    (found) => !!own(found, 'session_id') && adopt(found as Taken, before),
  );
  flushAfter(taking);
  arrived = within(PATIENCE, taking);
  return taking;
}
