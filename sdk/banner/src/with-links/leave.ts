import { current } from '../consent.js';
import type { ConsentLinkInput } from '../contract.js';
import { doc } from '../document.js';
import { type Memory, read } from '../memory.js';
import { gpc, preview } from '../page.js';
import { answerOf } from '../send.js';
import { withToken } from './address.js';
import { leads } from './hosts.js';
import { within } from './within.js';

/** How long a token is kept, of the minute for which it holds, in milliseconds. */
const KEPT = 45_000;
/** How long the server is not asked again after it gave none. */
const REST = 10_000;
const TIMEOUT = 5000;
/** How long a pointer rests on a link that may be pressed, and does not only pass. */
const HOVER = 65;
/** How long a click waits for it, and a script. */
const PATIENCE = 300;
const PATIENCE_OF_SCRIPTS = 1000;

let inHand: { token: string; at: number; of: Memory } | undefined;
let asking: Promise<void> | undefined;
let restsUntil = 0;

/** The visitor's choice, where the server has it and it may go along. */
const carried = (): Memory | null => (preview || gpc() || read()?.unsent[0] ? null : current);

/** The token of that choice, if there is one in hand. */
const token = (): string | undefined =>
  inHand && inHand.of === carried() && Date.now() - inHand.at < KEPT ? inHand.token : undefined;

/** Whose it is, and what is in force here: a link carries no more. */
const statementOf = ({ session_id, categories, vendors }: Memory): ConsentLinkInput => ({
  session_id,
  categories,
  ...(byVendor && vendors && { vendors }),
});

/** Asks for one where none is in hand, once at a time; undefined where there will be none. */
function prepare(): Promise<void> | undefined {
  const of = carried();
  const at = Date.now();
  if (!asking && !token() && of && at >= restsUntil)
    asking = answerOf('v/*/link', statementOf(of), TIMEOUT).then((found) => {
      asking = undefined;
      const made = found?.link;
      if (made) inHand = { token: made, at, of };
      else restsUntil = Date.now() + REST;
    });
  return asking;
}

/** The link of an event; in open shadow roots, too. */
const linkOf = (event: Event): HTMLAnchorElement | undefined =>
  event
    .composedPath()
    .find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement && one.hasAttribute('href'));

/** Whether a link leads to another domain of the site, with a referrer, without which nothing is taken over there. */
const carries = (link: HTMLAnchorElement | undefined): link is HTMLAnchorElement =>
  !!link &&
  leads(link) &&
  !link.hasAttribute('download') &&
  !link.relList.contains('noreferrer') &&
  !/^(no-referrer|same-origin)$/.test(link.referrerPolicy);

/** Has a link lead there with the token, for the navigation that follows. */
function decorate(link: HTMLAnchorElement): void {
  // The page may have changed it while the press waited.
  if (!carries(link)) return;
  const before = link.getAttribute('href') as string;
  const made = token();
  const carrying = withToken(link.href, made);
  if (carrying === link.href) return;
  inHand = undefined;
  link.href = carrying;
  setTimeout(() => {
    const now = link.getAttribute('href');
    // What the page has set since stays, without the token, in whatever form it holds it.
    if (now) link.href = now === carrying ? before : withToken(now).replace(made ?? '', '');
  });
}

/** The link whose press waits, until the visitor or the page goes elsewhere. */
let waiting: HTMLAnchorElement | undefined;
const dropWaiting = (): void => {
  waiting = undefined;
};

async function onClick(event: MouseEvent): Promise<void> {
  const link = linkOf(event);
  if (!link || !event.isTrusted || event.defaultPrevented) return;
  const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (isPlain && waiting !== link) dropWaiting();
  if (!carries(link)) return;
  const work = isPlain && !token() ? prepare() : undefined;
  if (!work) {
    if (event.button < 2) decorate(link);
    return;
  }
  const target = event.composedPath()[0] as Element;
  event.preventDefault();
  event.stopImmediatePropagation();
  // The second press of a double click.
  if (waiting === link) return;
  waiting = link;
  // Fired by what leaves the page without a press. Not for longer: Firefox keeps no page that listens for it.
  addEventListener('beforeunload', dropWaiting, { once: true });
  await within(PATIENCE, work);
  removeEventListener('beforeunload', dropWaiting);
  if (waiting !== link) return;
  dropWaiting();
  decorate(link);
  // Where it was pressed, for what stands inside the link may have a handler that wants no navigation.
  if (target.isConnected) target.dispatchEvent(new MouseEvent('click', event));
  else link.click();
}

/** Takes the visitor's choice along where a link leads to another domain of the site. */
export function takeAlong(): void {
  let soon: number | undefined;
  const early = (event: Event): void => {
    clearTimeout(soon);
    if (carries(linkOf(event))) soon = setTimeout(prepare, event.type === 'pointerover' ? HOVER : 0);
  };
  // Of a finger, too, which is a pointer.
  for (const name of ['pointerover', 'pointerdown', 'focusin']) addEventListener(name, early, true);
  addEventListener('click', onClick, true);
  addEventListener('auxclick', onClick, true);
}

/** The address with a token, for a script that goes there at once; the same address where nothing is to be taken along. */
export async function linkTo(url: string): Promise<string> {
  try {
    const to = new URL(url, doc.baseURI);
    if (!leads(to)) return url;
    // Again where another call has had the first.
    for (let tries = 2; tries && !token(); tries -= 1) await within(PATIENCE_OF_SCRIPTS, prepare());
    const made = token();
    inHand = undefined;
    return withToken(made ? to.href : url, made);
  } catch {
    return url;
  }
}
