import type { Context } from '../context';
import { ApiError, forbidden } from '../domain/errors';
import { isLinked } from '../domain/linked-domains';
import { toEntry } from '../ingest/decision';
import type { Entry } from '../ingest/entries';
import { Overtaken } from '../ingest/follow-choices';
import { askedByBanner } from '../ingest/shown';
import type { Site } from '../ingest/site';
import {
  asksForSame,
  type Carried,
  canBeCarried,
  decisionOf,
  type InForce,
  inTurnOfLinks,
  LINK_SECONDS,
  recordOn,
  secondsTo,
  spendLink,
  storeLink,
} from '../services/consent-links';
import type { Handler } from './handler';

/** What a request counts for besides the one: it asks the database by itself, where decisions share a transaction. */
const LOOK_UPS = 2;

export const createConsentLink: Handler<'createConsentLink'> = async (context, request) => {
  const { site, client, body } = request;
  demandLinked(site, request.origin);
  request.countMore(LOOK_UPS);
  const session_id = body.session_id.toLowerCase();
  if (client.gpc) throw nothingToTake();
  return inTurnOfLinks(request, async () => {
    const found = await decisionOf(context.visitorDb, site.id, session_id);
    if (found === undefined || !canBeCarried(found)) throw nothingToTake();
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
  request.countMore(LOOK_UPS);
  const carried = await inTurnOfLinks(request, () => spendLink(context, site.id, body.link, request));
  for (let tries = client.gpc ? TRIES : 0; carried !== undefined && tries < TRIES; tries += 1) {
    const found = await inTurnOfLinks(request, () =>
      decisionOf(context.visitorDb, site.id, carried.session_id),
    );
    if (found === undefined) break;
    const entry = await entryOf(context, request, carried, found);
    if (entry === undefined) break;
    const known = await knownOf(context, request, carried, found);
    if (known !== undefined) return viewOf({ ...entry.decision, consent_id: known });
    try {
      await context.ingest.record(entry);
    } catch (error) {
      if (error instanceof Overtaken) continue;
      throw error;
    }
    return viewOf(entry.decision);
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
type Taken = ReturnType<typeof toEntry>;

/** The record of the choice that is there already, where it is in force on this domain. */
async function knownOf(
  { visitorDb }: Context,
  request: TakeRequest,
  { session_id }: Carried,
  { decided }: InForce,
): Promise<string | undefined> {
  const { site, body, origin } = request;
  if (body.own_session_id === undefined || origin === undefined) return undefined;
  return inTurnOfLinks(request, () => recordOn(visitorDb, site, { session_id, decided }, origin));
}

/** The record of a choice that was brought along; undefined where it must not be taken. */
async function entryOf(
  { sites }: Context,
  { site, client, body }: TakeRequest,
  { session_id, consent_id }: Carried,
  { latest, decided }: InForce,
): Promise<(Taken & Pick<Entry, 'follows'>) | undefined> {
  if (decided.consent_id !== consent_id || !canBeCarried({ latest, decided })) return undefined;
  // A domain on which the visitor has a choice of another session keeps that one.
  if ((body.own_session_id?.toLowerCase() ?? session_id) !== session_id) return undefined;
  const naming = {
    banner_version: decided.banner_version,
    ...(decided.bundle_hash === null ? {} : { bundle_hash: decided.bundle_hash }),
  };
  const asked = await askedByBanner(sites.versions, site, body);
  const source = await askedByBanner(sites.versions, site, naming);
  if (!asksForSame(decided, source, asked, body.rule)) return undefined;
  const { link: _, own_session_id: __, ...context } = body;
  const stated = {
    ...context,
    ...{ session_id, decision: decided.decision },
    ...(decided.decision === 'save_preferences' && { categories: decided.categories }),
    ...(decided.decision === 'save_preferences' && decided.vendors && { vendors: decided.vendors }),
    linked: { from: consent_id, expires_at: decided.expires_at.toISOString() },
  };
  return { ...toEntry(site, client, stated, asked), follows: latest };
}

function viewOf({
  consent_id,
  session_id,
  decision,
  categories,
  vendors,
  policy_version,
  rule,
  expires_at,
}: Taken['decision']) {
  return {
    ...{ consent_id, session_id, decision, categories, policy_version },
    ...(vendors === null ? {} : { vendors }),
    ...(rule === null ? {} : { rule }),
    // It may have ended on its way.
    expires_in_seconds: Math.max(1, secondsTo(new Date(expires_at))),
  };
}
