import { type FileId, fileInMemory } from '../bundles/visitor-files';
import type { Context } from '../context';
import type { OperationId } from '../contract/operations';
import { originBelongs } from '../domain/addresses';
import { forbidden, notFound, rateLimited, unavailable } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import type { Site } from '../ingest/site';
import type { Exchange } from './exchange';
import { ALL_SITES, keyOf } from './limits';
import type { RateLimiter } from './rate-limit';

/**
 * The environment of a visitor's request. Throws 404, 403 for a paused site or a foreign origin, 429, and 503 for the
 * banner's decisions while the site is paused.
 */
export async function admitVisitor(
  context: Context,
  limiter: RateLimiter | undefined,
  exchange: Exchange,
  token: string,
  address: string,
): Promise<Site> {
  // Synchronous when the site is cached, because every visitor takes this path.
  const site = context.sites.peek(token) ?? (await findSite(context, limiter, token, address));
  const { origin, 'sec-fetch-site': fetchSite = 'same-origin' } = exchange.request.headers;
  // With a GET to the page's own host, from which a path leads here, browsers send none; there is nothing to take.
  const isOwnPath = origin === undefined && fetchSite === 'same-origin' && exchange.operationId === LOCATED;
  const isForeign = site.settings.enforce_origin && !isOwnPath && !originBelongs(origin, site.domains);
  // A page of another site uses up nothing of what its reader may send to this one.
  const key = isForeign ? `${site.id} foreign` : keyOf(site, exchange.operationId);
  const wait = limiter?.take(key, address) ?? 0;
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw site.ended || exchange.operationId !== KEPT ? paused() : resting();
  if (isForeign) {
    throw forbidden(
      "This environment takes requests from its own domains only: add the page's domain to it.",
    );
  }
  return site;
}

/**
 * The environment of a page of this server that a visitor opens, which is on no domain of the site; limited by address
 * over all sites too. Throws 404, 403 for a paused site, and 429.
 */
export async function admitPage(
  context: Context,
  limiter: RateLimiter | undefined,
  token: string,
  address: string,
): Promise<Site> {
  const site = context.sites.peek(token) ?? (await findSite(context, limiter, token, address));
  const wait = limiter?.take(site.id, address) || limiter?.takeAlone('pages', address, ALL_SITES) || 0;
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw paused();
  return site;
}

/**
 * The environment whose files are requested, from the cache even while the database is down. Serving a file
 * from memory costs less than refusing it, so only look-ups of other files than the current ones are limited,
 * and no site's script is ever refused. Throws 404, 403 for a paused site, and 429.
 */
export async function admitReader(
  context: Context,
  limiter: RateLimiter | undefined,
  { id }: { id: OperationId },
  params: Record<string, string>,
  address: string,
): Promise<Site> {
  const { token = '', hash, language } = params;
  const site = context.sites.lastKnown(token) ?? (await findSite(context, limiter, token, address));
  const isCurrent =
    (hash === undefined || hash === site.bundle) && (language === undefined || site.languages.has(language));
  const isFree = isCurrent || fileInMemory(context.files, id as FileId, site, params) !== undefined;
  const wait = isFree ? 0 : (limiter?.take('earlier files', address) ?? 0);
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw paused();
  return site;
}

/** Of a visitor's limit: whoever copies a log asks for one file after the other. */
const LOG_FACTOR = 5;

/**
 * The environment whose log is read, which a pause does not hide. A copy of a log takes many requests, so they are
 * limited by address apart from those of visitors. Throws 404 and 429.
 */
export async function admitLogReader(
  context: Context,
  limiter: RateLimiter | undefined,
  token: string,
  address: string,
): Promise<Site> {
  const site = context.sites.lastKnown(token) ?? (await findSite(context, limiter, token, address));
  const wait = limiter?.takeAlone('ledger', address, LOG_FACTOR) ?? 0;
  if (wait > 0) throw rateLimited(wait);
  if (site.deleted) throw notFound('This environment');
  return site;
}

/** The environment of a link that was mailed, which a pause does not hide. Throws 404 and 429. */
export const admitLink = async (
  context: Context,
  limiter: RateLimiter | undefined,
  token: string,
  address: string,
): Promise<Site> => context.sites.lastKnown(token) ?? (await findSite(context, limiter, token, address));

/** The limiter's key for unknown tokens. */
const UNKNOWN = 'unknown';

/**
 * Looks up a site that is not cached. A malformed token never reaches the cache or the database, nor does a
 * client that has sent too many unknown ones. Throws 404 and 429.
 */
async function findSite(
  { sites }: Context,
  limiter: RateLimiter | undefined,
  token: string,
  address: string,
): Promise<Site> {
  if (!isEnvironmentToken(token)) throw notFound('This environment');
  const wait = limiter?.peek(UNKNOWN, address) ?? 0;
  if (wait > 0) throw rateLimited(wait);
  const site = await sites.find(token);
  if (site !== undefined) return site;
  limiter?.take(UNKNOWN, address);
  throw notFound('This environment');
}

/** What the banner keeps and sends again after a 503, and forgets after a 403: it may be a withdrawal. */
const KEPT: OperationId = 'recordVisitorConsent';
/** What every page of the site asks first. */
const LOCATED: OperationId = 'getRegion';
/** Until a banner may try again, in seconds. */
const REST = 60;

const resting = () =>
  unavailable(
    'This environment is paused: keep the decision, and send it again when its owner has set the status to active.',
    REST,
  );

const paused = () =>
  forbidden('This environment is paused or archived: its owner can set its status to active.');
