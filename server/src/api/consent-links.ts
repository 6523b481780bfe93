import type { Context } from '../context';
import { ApiError, forbidden } from '../domain/errors';
import { isLinked } from '../domain/linked-domains';
import { toEntry } from '../ingest/decision';
import type { Entry } from '../ingest/entries';
import { Overtaken } from '../ingest/follow-choices';
import { askedByBanner } from '../ingest/shown';
import type { Site } from '../ingest/site';
import {
  allowsMore,
  asksForSame,
  canBeCarried,
  decisionOf,
  inTurnOfLinks,
  recordOn,
  secondsSince,
  secondsTo,
  staysBeside,
} from '../services/consent-links';
import { type Carried, LINK_SECONDS, spendLink, storeLink } from '../services/link-tokens';
import type { Handler } from './handler';

export const createConsentLink: Handler<'createConsentLink'> = async (context, request) => {
  const { site, client, body } = request;
  demandLinked(site, request.origin);
  request.countLink();
  const session_id = body.session_id.toLowerCase();
  if (client.gpc) throw nothingToTake();
  return inTurnOfLinks(request, async () => {
    const found = await decisionOf(context.visitorDb, site.id, session_id);
    if (found === undefined || !canBeCarried(found, site)) throw nothingToTake();
    // Another domain of the session may have allowed more since than the page that is left has in force.
    if (allowsMore(found.decided, body)) throw nothingToTake();
    const { consent_id } = found.decided;
    const link = await storeLink(context, site.id, { session_id, consent_id }, request);
    return { link, expires_in_seconds: LINK_SECONDS };
  });
};

const nothingToTake = (): ApiError =>
  new ApiError(
    404,
    'not_found',
    'This session has no choice that can be taken along: follow the link without it.',
  );

/** How often a choice is looked at again that another link has taken along meanwhile. */
const TRIES = 3;

export const takeConsentLink: Handler<'takeConsentLink'> = async (context, request) => {
  const { site, client, body } = request;
  demandLinked(site, request.origin);
  request.countLink();
  // What a link needs of the database is looked up in one turn: a token that is used up waits for no other.
  const found = await inTurnOfLinks(request, async () => {
    const carried = await spendLink(context, site.id, body.link, request);
    return carried === undefined || client.gpc
      ? undefined
      : { carried, take: await look(context, request, carried) };
  });
  let take = found?.take;
  for (let tries = 1; found !== undefined && take !== undefined; tries += 1) {
    if (take.known !== undefined) return viewOf(take, take.known);
    try {
      await context.ingest.record(take.entry);
      return viewOf(take);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
    if (tries === TRIES) break;
    take = await inTurnOfLinks(request, () => look(context, request, found.carried));
  }
  throw new ApiError(404, 'not_found', 'This link brings no choice that can be taken here: ask the visitor.');
};

/** Pages of other domains have nothing to take along. Throws 403. */
function demandLinked({ linked }: Site, origin: string | undefined): void {
  if (isLinked(origin, linked)) return;
  throw forbidden(
    "Choices are taken along between the domains in this environment's settings.linked_domains only: add the page's domain to them.",
  );
}

type TakeRequest = Parameters<typeof takeConsentLink>[1];

/** What is to be recorded, and the record of the same choice that this domain has already. */
interface Take {
  entry: ReturnType<typeof toEntry> & Pick<Entry, 'follows'>;
  decidedAt: Date;
  known?: string | undefined;
}

/** Undefined where the choice must not be taken. */
async function look(
  { sites, visitorDb }: Context,
  { site, client, body, origin }: TakeRequest,
  { session_id, consent_id }: Carried,
): Promise<Take | undefined> {
  const found = await decisionOf(visitorDb, site.id, session_id);
  if (found?.decided.consent_id !== consent_id || !canBeCarried(found, site)) return undefined;
  const { latest, decided, decidedAt } = found;
  const { link: _, own, ...page } = body;
  if (own !== undefined && staysBeside(own, { ...decided, session_id })) return undefined;
  const { banner_version, bundle_hash } = decided;
  const asked = await askedByBanner(sites.versions, site, body);
  const source = await askedByBanner(sites.versions, site, {
    banner_version,
    ...(bundle_hash !== null && { bundle_hash }),
  });
  if (!asksForSame(decided, source, asked, body.rule)) return undefined;
  const stated = {
    ...page,
    ...{ session_id, decision: decided.decision },
    ...(decided.decision === 'save_preferences' && { categories: decided.categories }),
    ...(decided.decision === 'save_preferences' && decided.vendors && { vendors: decided.vendors }),
    linked: { from: consent_id, expires_at: decided.expires_at.toISOString() },
  };
  const isOwn = own?.session_id.toLowerCase() === session_id && origin !== undefined;
  const known = isOwn ? await recordOn(visitorDb, site, { session_id, decided }, origin) : undefined;
  return { entry: { ...toEntry(site, client, stated, asked), follows: latest }, decidedAt, known };
}

function viewOf({ entry: { decision: taken }, decidedAt }: Take, known?: string) {
  const { consent_id, session_id, decision, categories, policy_version, vendors, rule, expires_at } = taken;
  return {
    ...{ consent_id: known ?? consent_id, session_id, decision, categories, policy_version },
    ...(vendors === null ? {} : { vendors }),
    ...(rule === null ? {} : { rule }),
    decided_seconds_ago: Math.floor(secondsSince(decidedAt)),
    // It may have ended on its way.
    expires_in_seconds: Math.max(1, secondsTo(new Date(expires_at))),
  };
}
