import type { Operation, OperationId } from '../contract/operations';
import { rateLimited } from '../domain/errors';
import type { Member } from '../domain/fair-turns';
import { inRequests } from '../domain/size';
import type { Site } from '../ingest/site';
import type { RateLimiter } from './rate-limit';

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
  n = 1,
): void {
  // Strangers use up nothing of what people with a login may ask for.
  const key = isMember ? `${id} members` : id;
  const wait =
    limit === undefined
      ? limiter?.take('public', address, undefined, n)
      : limiter?.take(
          key,
          address,
          { perAddress: limit, perSite: open && !isMember ? limit * MANY : Infinity },
          n,
        );
  if (wait) throw rateLimited(wait);
}

/**
 * Limits by address a visitor operation for which the general limit is too high: before its body is read. Throws 429.
 */
export function limitCostly(
  limiter: RateLimiter | undefined,
  site: Site,
  address: string,
  { id, limit }: Operation,
): void {
  if (limit === undefined) return;
  const wait = limiter?.takeFrom(`${id} ${site.id}`, address, { perAddress: limit, perSite: limit * MANY });
  if (wait) throw rateLimited(wait);
}

/**
 * Limits the same by site, once the request is valid: a flood from a few addresses must not fill an owner's list, and
 * what stores nothing must not use up what others may send. Throws 429.
 */
export function limitCostlyAtSite(
  limiter: RateLimiter | undefined,
  { operation, site, address }: { operation: Operation; site?: Site; address: string },
): void {
  const { id, limit } = operation;
  if (limit === undefined || site === undefined || !operation.visitor) return;
  const wait = limiter?.takeAtSite(`${id} ${site.id}`, address, { perAddress: limit, perSite: limit * MANY });
  if (wait) throw rateLimited(wait);
}

/** What one address may send to all sites of what needs the database each time, in limits of one site. */
export const ALL_SITES = 2;

/** Limits by address, over all sites, what visitors store on owners' connections. Throws 429. */
export function limitStored(
  limiter: RateLimiter | undefined,
  address: string,
  { transaction }: Operation,
): void {
  const wait = transaction ? limiter?.takeAlone('stored', address, ALL_SITES) : 0;
  if (wait) throw rateLimited(wait);
}

/** What one address may send to all sites, in limits of one site: an office behind one address visits many sites. */
const SENT_TO_ALL = 10;

/** Whose body it is. */
export interface Sender {
  operation: Operation;
  address: string;
  limiter?: RateLimiter | undefined;
  site?: Site;
  caller?: object;
}

/**
 * A body counts as one more request for each 4 KiB, before it is parsed: one that is refused takes the most time. What
 * visitors send is limited by address over all sites, too. Throws 429.
 */
export function limitBody({ operation, address, limiter, site, caller }: Sender, bytes: number): void {
  const more = inRequests(bytes);
  if (site !== undefined) {
    const wait = limiter?.takeLeast('sent', address, SENT_TO_ALL, more + 1) ?? 0;
    if (wait > 0) throw rateLimited(wait);
  }
  if (more === 0) return;
  if (site !== undefined) limitMore(limiter, keyOf(site, operation.id), address, more);
  else if (caller !== undefined) limitOwners(limiter, address, more);
  else limitPublic(limiter, address, operation, false, more);
}

/**
 * What strangers read outside of sites counts as one more request for each 4 KiB: it is held for as long as they take
 * to read it. Throws 429.
 */
export function limitReading(
  limiter: RateLimiter | undefined,
  { address, caller, operation }: { address: string; caller?: unknown; operation: Operation },
  bytes: number,
): void {
  if (operation.id === 'getConsentReceipt') limitReceipts(limiter, address, bytes);
  const more = inRequests(bytes);
  if (more === 0 || caller !== undefined || operation.hasToken) return;
  const wait = limiter?.take('public', address, undefined, more) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

const RECEIPTS: ReadonlySet<OperationId> = new Set(['getConsentReceipt', 'saveReceipt']);

/** Refuses who got all their receipts of this minute, which costs less than to read what they ask for. Throws 429. */
export function refuseReceipts(
  limiter: RateLimiter | undefined,
  address: string,
  { id }: Pick<Operation, 'id'>,
): void {
  const wait = RECEIPTS.has(id) ? (limiter?.peek('receipts', address) ?? 0) : 0;
  if (wait > 0) throw rateLimited(wait);
}

/** A receipt is put together of all that a site says, which takes as long as so many other requests. */
const RECEIPT = 5;

/**
 * Limits receipts by address, over all sites: each before it is made, and then for each 4 KiB, since one may be a
 * megabyte. Apart from visitors' requests, which may come from the same address. Throws 429.
 */
export function limitReceipts(limiter: RateLimiter | undefined, address: string, bytes: number): void {
  const parts = bytes === 0 ? RECEIPT : inRequests(bytes);
  const wait = limiter?.takeAlone('receipts', address, 1, parts) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

/** Of a visitor's limit: whoever looks at declarations reads few that are not in memory. */
const DECLARATIONS = 5;

/**
 * Limits by address, over all sites, the cookie declarations that are made anew: each before, and then for each 4 KiB,
 * because it takes as long as it is large. Throws 429, but not for what is made.
 */
export function limitDeclarations(limiter: RateLimiter | undefined, address: string, bytes: number): void {
  const parts = bytes === 0 ? 1 : inRequests(bytes);
  const wait = limiter?.takeAlone('declarations', address, DECLARATIONS, parts) ?? 0;
  if (wait > 0 && bytes === 0) throw rateLimited(wait);
}

/** A request that stores several decisions counts as so many requests: `more` besides the one. Throws 429. */
export function limitMore(
  limiter: RateLimiter | undefined,
  key: string,
  address: string,
  more: number,
): void {
  const wait = limiter?.take(key, address, undefined, more) ?? 0;
  if (wait > 0) throw rateLimited(wait);
}

/** What a link between domains counts for besides the one: it asks the database by itself, where decisions share a transaction. */
const LINK_LOOKS = 2;
const OF_LINKS: ReadonlySet<string> = new Set<OperationId>(['createConsentLink', 'takeConsentLink']);
const linksOf = ({ id }: Pick<Site, 'id'>): string => `links ${id}`;

/** What a visitor's request counts against: links that a pointer passes use up nothing of what decisions may. */
export const keyOf = (site: Pick<Site, 'id'>, operationId: string): string =>
  OF_LINKS.has(operationId) ? linksOf(site) : site.id;

/** Limits by address and site what links ask for. Throws 429. */
export function limitLinks(limiter: RateLimiter | undefined, site: Site | undefined, address: string): void {
  if (site === undefined) return;
  const wait = limiter?.take(linksOf(site), address, undefined, LINK_LOOKS) ?? 0;
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

/** Pages that links in mails lead to, by address: each reads a few rows. Throws 429. */
export function limitMailPages(
  limiter: RateLimiter | undefined,
  { address, isOther }: { address: string; isOther: boolean },
): void {
  const wait = limiter?.takeAlone(isOther ? 'mail pages for others' : 'mail pages', address, LARGE_PART);
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

/**
 * Limits by address what brings no login, has no body that can be read, or was sent by a page of another site: it must use
 * up nothing of what owners at the same address may send, and each of them can be made to send it. Throws 429.
 */
export function limitUnable(limiter: RateLimiter | undefined, address: string): void {
  const wait = limiter?.takeAlone('unable', address, OWNER_FACTOR);
  if (wait) throw rateLimited(wait);
}

/** Of files that belong to no site, for each 4 KiB: the console takes some hundred kilobytes, the largest file one megabyte. */
const FILES = 20;

/**
 * Limits by address what is sent of the console, the documentation and the page that verifies evidence: each request before
 * it, and then for each 4 KiB. What pages of other sites ask for counts by itself. Throws 429, but not for what is sent.
 */
export function limitFiles(
  limiter: RateLimiter | undefined,
  { address, isOther }: { address: string; isOther: boolean },
  sent?: number,
): void {
  const parts = sent === undefined ? 1 : inRequests(sent);
  const wait = limiter?.takeAlone(isOther ? 'files for others' : 'files', address, FILES, parts) ?? 0;
  if (wait > 0 && sent === undefined) throw rateLimited(wait);
}

/** What one account may send with its logins, from however many addresses: as much as from one. Throws 429. */
export function limitAccount(limiter: RateLimiter | undefined, userId: number): void {
  const wait = limiter?.takeAlone('accounts', String(userId), OWNER_FACTOR);
  if (wait) throw rateLimited(wait);
}

/** All keys of an account together, in limits of one. */
const KEYS = 4;

/**
 * What one API key may send, from however many addresses: as much as an owner from one; and what all keys of its account
 * may. Throws 429.
 */
export function limitKey(limiter: RateLimiter | undefined, [group, account, key]: Required<Member>): void {
  const wait = limiter?.takeAlone('keys', key, OWNER_FACTOR);
  if (wait) throw rateLimited(wait);
  const all = limiter?.takeAlone('keys of accounts', `${group} ${account}`, OWNER_FACTOR * KEYS);
  if (all) throw rateLimited(all);
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
