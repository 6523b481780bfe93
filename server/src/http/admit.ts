import type { Context } from '../context';
import type { Operation, OperationId } from '../contract/operations';
import { originBelongs } from '../domain/addresses';
import { forbidden, notFound, rateLimited, unavailable } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import type { Site } from '../ingest/site';
import type { Exchange } from './exchange';
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
  const wait = limiter?.take(site.id, address) ?? 0;
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw site.ended || exchange.operationId !== KEPT ? paused() : resting();
  if (site.settings.enforce_origin && !originBelongs(exchange.request.headers.origin, site.domains)) {
    throw forbidden(
      "This environment takes requests from its own domains only: add the page's domain to it.",
    );
  }
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
/** Until a banner may try again, in seconds. */
const REST = 60;

const resting = () =>
  unavailable(
    'This environment is paused: keep the decision, and send it again when its owner has set the status to active.',
    REST,
  );

const paused = () =>
  forbidden('This environment is paused or archived: its owner can set its status to active.');

/** How many addresses may use up an operation's own limit at once, per process. */
const MANY = 20;

/**
 * Limits public requests outside an environment by address; expensive operations have limits of their own.
 * Operations that open an account have no limit across addresses, so that nobody else's requests can keep an
 * owner from logging in. Throws 429.
 */
export function limitPublic(
  limiter: RateLimiter | undefined,
  address: string,
  { id, limit, open }: Operation,
  isMember: boolean,
): void {
  // Strangers use up nothing of what people with a login may ask for.
  const key = isMember ? `${id} members` : id;
  const wait =
    limit === undefined
      ? limiter?.take('public', address)
      : limiter?.take(key, address, {
          perAddress: limit,
          perSite: open && !isMember ? limit * MANY : Infinity,
        });
  if (wait) throw rateLimited(wait);
}

/**
 * Limits a visitor operation for which the general limit is too high: a flood from a few addresses must not
 * fill an owner's list. Throws 429.
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

/** What one address may send to all sites of what is stored on owners' connections, in limits of one site. */
const ALL_SITES = 2;

/** Limits by address, over all sites, what visitors store on owners' connections. Throws 429. */
export function limitStored(
  limiter: RateLimiter | undefined,
  address: string,
  { transaction }: Operation,
): void {
  const wait = transaction ? limiter?.takeAlone('stored', address, ALL_SITES) : 0;
  if (wait) throw rateLimited(wait);
}

/** Bytes of a body, or of what a stranger reads, that count as a request: both have a limit by their size. */
export const BYTES_OF_ONE = 4_096;

/**
 * What strangers read outside of sites counts as one more request for each 4 KiB: it is held for as long as they take
 * to read it. Throws 429.
 */
export function limitReading(
  limiter: RateLimiter | undefined,
  { address, caller, operation }: { address: string; caller?: unknown; operation: Operation },
  bytes: number,
): void {
  const more = Math.floor(bytes / BYTES_OF_ONE);
  if (more === 0 || caller !== undefined || operation.hasToken) return;
  const wait = limiter?.take('public', address, undefined, more) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

/** A request that stores several decisions counts as so many requests: `more` besides the one. Throws 429. */
export function limitMore(limiter: RateLimiter | undefined, site: Site, address: string, more: number): void {
  const wait = limiter?.take(site.id, address, undefined, more) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

/** Of a visitor's limit: a monitor asks every few seconds, and each answer is tens of kilobytes or more. */
const LARGE_PART = 1 / 5;

/** Limits by address what is large and of no site: `/metrics` on the main port, and the contract. Throws 429. */
export function limitLarge(
  limiter: RateLimiter | undefined,
  what: 'metrics' | 'contract',
  address: string,
): void {
  const wait = limiter?.takeAlone(what, address, LARGE_PART);
  if (wait) throw rateLimited(wait);
}

/** An owner's console and programs send more requests than a visitor's browser. */
const OWNER_FACTOR = 5;

/**
 * Runs before the signature of a bearer token is checked, by address only: costs one look-up. A large body counts as
 * `n` requests once it is there. Throws 429.
 */
export function limitOwners(limiter: RateLimiter | undefined, address: string, n = 1): void {
  const wait = limiter?.takeAlone('owners', address, OWNER_FACTOR, n);
  if (wait) throw rateLimited(wait);
}

/** What one API key may send, from however many addresses: as much as an owner from one. Throws 429. */
export function limitKey(limiter: RateLimiter | undefined, id: string): void {
  const wait = limiter?.takeAlone('keys', id, OWNER_FACTOR);
  if (wait) throw rateLimited(wait);
}

/**
 * Limits downloads by account, from however many addresses: each leaves an entry in the audit trail, which nobody can
 * delete for two years, also of somebody who may only read. Its API keys together use up nothing of its login's. Throws
 * 429.
 */
export function limitDownloads(
  limiter: RateLimiter | undefined,
  { userId, key }: { userId: number; key?: object },
): void {
  const wait = limiter?.takeAlone('downloads', `${key ? 'keys' : 'login'} of ${userId}`, LARGE_PART);
  if (wait) throw rateLimited(wait);
}
