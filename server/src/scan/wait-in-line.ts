import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { pageOf } from '../domain/cookies/page';
import { conflict, rateLimited, unavailable } from '../domain/errors';
import type { Page } from './target';

/**
 * Scans that may wait: of one account, of one group of accounts, and of all accounts (about an hour's work of one
 * process). The last places of a group are kept for accounts of which few wait. Whoever began it may have as few
 * beyond them, because all others can be accounts of one person.
 */
const MEMBERS = { own: 20, few: 2, group: 50, kept: 15, all: 200, last: 0 };
/**
 * Of one network without a login, of one block of networks, and of all of them. The last places of all are kept for blocks
 * of which few wait: one customer may have thousands of networks, and somebody some blocks.
 */
const STRANGERS = { own: 5, few: 0, group: 20, kept: 0, all: 100, last: 15 };
const FEW_OF_BLOCK = 2;
/** Strangers' scans of one registrable domain that may wait or run: subdomains and addresses beside cost nothing. */
const STRANGERS_AT_DOMAIN = 3;
/** Seconds until the next try: what a scan takes at most, and twice that. */
const SOON = 30;
const LATER = 60;

/** Who takes turns with others: an account, or a network without a login. */
export interface Requester {
  byMember: boolean;
  /** A keyed fingerprint. */
  id: Buffer;
  /** The same of the group that an account belongs to, or of the block that a network does. */
  group: Buffer;
  /** The account that began its group. */
  began: boolean;
}

/** The site whose evidence the scan is, and the one whose vendors classify. */
export interface ScannedFor {
  environmentId: string | null;
  siteToken: string | null;
}

/**
 * Puts a scan into the queue and returns its id. Throws 429 and 503 when too much waits: strangers never fill
 * the queue of members. Throws 409 while one of the same domain waits or runs: for the site that it is for,
 * else for the account, else for all strangers, so that nobody's scan stands in another's way.
 */
export async function waitInLine(
  trx: Knex,
  requester: Requester,
  page: Page,
  { environmentId, siteToken }: ScannedFor,
): Promise<string> {
  await checkRoom(trx, requester, page);
  // Random, not a UUIDv7: the id alone opens the result, so it must not be guessable from the time it was
  // made.
  const scan_id = randomUUID();
  const alone = environmentId ?? (requester.byMember ? requester.id.toString('hex') : undefined);
  const row = {
    scan_id,
    environment_id: environmentId,
    site_token: siteToken,
    url: page.url,
    domain: alone === undefined ? page.domain : `${alone} ${page.domain}`,
    by_member: requester.byMember,
    requester: requester.id,
    requester_group: requester.group,
    registrable: page.registrable,
    page: pageOf(page.url).page,
    now: clock.date(),
  };
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `INSERT INTO cookie_scans (scan_id, environment_id, site_token, url, domain, by_member, requester,
       requester_group, registrable, page, state, runs, created_at)
     VALUES (:scan_id, :environment_id, :site_token, :url, :domain, :by_member, :requester,
       :requester_group, :registrable, :page, 'queued', 0, :now)
     ON CONFLICT (domain) WHERE state IN ('queued', 'running') DO NOTHING RETURNING scan_id`,
    row,
  );
  if (rows.length === 0)
    throw conflict(`A scan of ${page.domain} is waiting or running: start another one when it is over.`);
  return scan_id;
}

interface Waiting {
  all: number;
  own: number;
  of_group: number;
  at_domain: number;
}

/** Reads what waits and runs, which is bounded by this very check, never what is over. */
async function checkRoom(
  trx: Knex,
  { byMember, id, group, began }: Requester,
  { registrable, isIP }: Page,
): Promise<void> {
  // Many at once count one after the other; members do not wait for strangers.
  await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`scans ${byMember ? 'members' : 'strangers'}`]);
  const { rows } = await trx.raw<{ rows: Waiting[] }>(
    `SELECT (count(*) FILTER (WHERE state = 'queued'))::int AS all,
       (count(*) FILTER (WHERE state = 'queued' AND requester = :id))::int AS own,
       (count(*) FILTER (WHERE state = 'queued' AND requester_group = :group))::int AS of_group,
       (count(*) FILTER (WHERE registrable = :registrable))::int AS at_domain
     FROM cookie_scans WHERE state IN ('queued', 'running') AND by_member = :byMember`,
    { id, group, registrable, byMember },
  );
  const { all, own, of_group, at_domain } = rows[0] as Waiting;
  const most = byMember ? MEMBERS : STRANGERS;
  if (own >= most.own)
    throw rateLimited(
      SOON,
      byMember
        ? `${own} scans of your account are waiting: start more when some of them are over.`
        : `${own} scans from your network are waiting: start more when some are over, or log in.`,
    );
  const hasFew = own < most.few;
  if (!(began && hasFew) && of_group >= (hasFew ? most.group : most.group - most.kept))
    throw rateLimited(
      SOON,
      byMember
        ? `${of_group} scans of your account, and of those that its invitations made or that invited it, are waiting: start more when some of them are over.`
        : `${of_group} scans from your network and those beside it are waiting: start more when some are over, or log in.`,
    );
  if (!byMember && at_domain >= STRANGERS_AT_DOMAIN)
    throw rateLimited(
      SOON,
      `${at_domain} scans of ${registrable}${isIP ? '' : ' and its subdomains'} are waiting or running: try again when they are over, or log in.`,
    );
  if (all >= most.all - (of_group < FEW_OF_BLOCK ? 0 : most.last))
    throw unavailable(
      byMember
        ? 'Too many scans are waiting: try again later.'
        : 'Too many scans without a login are waiting: try again later, or log in.',
      LATER,
    );
}
