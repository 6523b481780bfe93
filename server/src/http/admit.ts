import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import { originBelongs } from '../domain/addresses';
import { forbidden, notFound, rateLimited } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import type { Site } from '../ingest/site';
import type { Exchange } from './exchange';
import type { RateLimiter } from './rate-limit';

/** The environment of a visitor's request. Throws 404, 403 for a paused site or a foreign origin, and 429. */
export async function admitVisitor(
  context: Context,
  limiter: RateLimiter | undefined,
  exchange: Exchange,
  token: string,
  address: string,
): Promise<Site> {
  // Without waiting when the site is known: this is the path of every visitor.
  const site = context.sites.peek(token) ?? (await findSite(context, limiter, token, address));
  const wait = limiter?.take(site.id, address) ?? 0;
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw paused();
  if (site.settings.enforce_origin && !originBelongs(exchange.request.headers.origin, site.domains)) {
    throw forbidden(
      "This environment takes requests from its own domains only: add the page's domain to it.",
    );
  }
  return site;
}

/**
 * The environment whose files are wanted, as far as this process knows it: they are answered while the
 * database is away, too. What is in memory costs less to answer than to refuse, so that only look-ups of what
 * the site does not name itself are limited; no site's script is ever starved. Throws 404, 403 for a paused
 * site, and 429.
 */
export async function admitReader(
  context: Context,
  limiter: RateLimiter | undefined,
  { token = '', hash, language }: Record<string, string>,
  address: string,
): Promise<Site> {
  const site = context.sites.lastKnown(token) ?? (await findSite(context, limiter, token, address));
  const isOwn =
    (hash === undefined || site.bundleVersions.has(hash)) &&
    (language === undefined || site.languages.has(language));
  const wait = isOwn ? 0 : (limiter?.take('files', address) ?? 0);
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw paused();
  return site;
}

/** Tokens that name no site, as the limiter counts them. */
const UNKNOWN = 'unknown';

/**
 * Looks a site up that this process does not know yet. What cannot be a token reaches neither cache nor
 * database; who has sent too many that name no site does not either. Throws 404 and 429.
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

const paused = () =>
  forbidden('This environment is paused or archived: its owner can set its status to active.');

/** Addresses that may use up an operation's own limit at once, in one process. */
const MANY = 20;

/**
 * Public look-ups outside any environment are limited by address alone, costly operations each by a limit of
 * its own. What opens an account has no limit for all addresses together: nobody's look-ups or failures keep
 * an owner from logging in. Throws 429.
 */
export function limitPublic(limiter: RateLimiter | undefined, address: string, operation: Operation): void {
  const { id, limit, open } = operation;
  const wait =
    limit === undefined
      ? limiter?.take('public', address)
      : limiter?.take(id, address, { perAddress: limit, perSite: open ? limit * MANY : Infinity });
  if (wait) throw rateLimited(wait);
}

/**
 * What a visitor sends to one site, where the general limit is too wide: a flood from a few addresses must
 * not fill an owner's desk. Throws 429.
 */
export function limitCostly(
  limiter: RateLimiter | undefined,
  site: Site,
  address: string,
  { id, limit }: Operation,
): void {
  if (limit === undefined) return;
  const wait = limiter?.take(`${id} ${site.id}`, address, { perAddress: limit, perSite: limit * MANY });
  if (wait) throw rateLimited(wait);
}

/** A request that stores several decisions counts as so many requests: `more` besides the one. Throws 429. */
export function limitMore(limiter: RateLimiter | undefined, site: Site, address: string, more: number): void {
  const wait = limiter?.take(site.id, address, undefined, more) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

/** An owner's console and programs ask more often than a visitor's browser. */
const OWNER_FACTOR = 5;

/** Before the signature of a bearer token is looked at, by address alone: it costs one look-up. Throws 429. */
export function limitOwners(limiter: RateLimiter | undefined, address: string): void {
  const wait = limiter?.takeAlone('owners', address, OWNER_FACTOR);
  if (wait) throw rateLimited(wait);
}
