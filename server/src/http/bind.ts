import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { handlers } from '../api';
import { Cached, type Caller, Download, Stored, type Surroundings } from '../api/handler';
import type { Context } from '../context';
import { originBelongs } from '../domain/domain-name';
import { isEnvironmentToken } from '../domain/ids';
import { networkOf } from '../domain/mask';
import { forbidden, notFound, rateLimited } from '../errors';
import type { Site } from '../ingest/site';
import { type Exchange, isKnown, sendFileHead, sendJson, sendNothing, successJson } from './answer';
import { authenticate, authorise } from './authenticate';
import type { Body } from './body';
import { clientOf } from './client';
import type { Operation } from './contract';
import { sendDownload } from './download';
import { once } from './idempotency';
import type { RateLimiter } from './rate-limit';
import { sendStored } from './stored';

/** A request that has passed the contract. */
export interface ValidRequest {
  operation: Operation;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Body | undefined;
  address: string;
  caller?: Caller;
  site?: Site;
}

/** The environment of a visitor's request. Throws 404, 403 for a paused site or a foreign origin, and 429. */
export async function admitVisitor(
  context: Context,
  limiter: RateLimiter | undefined,
  exchange: Exchange,
  token: string,
  address: string,
): Promise<Site> {
  // Without waiting when the site is known: this is the path of every visitor. What cannot be a token reaches neither cache nor database.
  const site =
    context.sites.peek(token) ?? (isEnvironmentToken(token) ? await context.sites.find(token) : undefined);
  if (site === undefined) throw notFound('This environment');
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
 * The environment whose files are wanted, as far as this process knows it: they are answered while the database is away, too. What is in
 * memory costs less to answer than to refuse, so that only look-ups of what the site does not name itself are limited; no site's script
 * is ever starved. Throws 404, 403 for a paused site, and 429.
 */
export async function admitReader(
  { sites }: Context,
  limiter: RateLimiter | undefined,
  { token = '', hash, language }: Record<string, string>,
  address: string,
): Promise<Site> {
  const site = sites.lastKnown(token) ?? (isEnvironmentToken(token) ? await sites.find(token) : undefined);
  if (site === undefined) throw notFound('This environment');
  const isOwn =
    (hash === undefined || site.bundleVersions.has(hash)) &&
    (language === undefined || site.languages.has(language));
  const wait = isOwn ? 0 : (limiter?.take('files', address) ?? 0);
  if (wait > 0) throw rateLimited(wait);
  if (site.paused) throw paused();
  return site;
}

const paused = () => forbidden('This environment is paused: its owner can set its status to active.');

/** Addresses at once that may use an operation's own limit up, in one process. */
const MANY = 20;

/**
 * Public look-ups outside any environment are limited by address alone, costly operations each by a limit of its own: nobody's look-ups
 * keep an owner from logging in. Throws 429.
 */
export function limitPublic(limiter: RateLimiter | undefined, address: string, operation: Operation): void {
  const { id, limit } = operation;
  const wait =
    limit === undefined
      ? limiter?.take('public', address)
      : limiter?.take(id, networkOf(address), { perAddress: limit, perSite: limit * MANY });
  if (wait) throw rateLimited(wait);
}

/** Runs the handler of an operation and answers with what it returns: the same for both hosts. */
export async function run(context: Context, exchange: Exchange, valid: ValidRequest): Promise<void> {
  const { operation } = valid;
  const data = await invoke(context, exchange, valid);
  if (data instanceof Download) {
    sendFileHead(exchange, data);
    if (exchange.head) {
      data.content.destroy();
      exchange.response.end();
      return;
    }
    return sendDownload(exchange, data, context.log);
  }
  if (data instanceof Stored) {
    sendStored(exchange, data);
    return;
  }
  if (data instanceof Cached) {
    sendCached(exchange, operation, data);
    return;
  }
  sendJson(exchange, operation.status, successJson(data, operation.message));
}

function sendCached(exchange: Exchange, operation: Operation, { data, etag, maxAge }: Cached<unknown>): void {
  const headers = {
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(etag === undefined ? {} : { ETag: etag }),
  };
  if (etag !== undefined && isKnown(exchange, etag)) {
    sendNothing(exchange, 304, headers);
    return;
  }
  sendJson(exchange, operation.status, successJson(data, operation.message), headers);
}

async function invoke(context: Context, exchange: Exchange, valid: ValidRequest): Promise<unknown> {
  const { operation, params, query, body } = valid;
  const committed: (() => void)[] = [];
  const surroundings = await surround(context, exchange, valid, (work) => committed.push(work));
  // biome-ignore lint/suspicious/noExplicitAny: the map is typed where it is written; here the contract has checked the input
  const handler = handlers[operation.id] as (context: Context, request: any) => Promise<unknown>;
  const call = (trx: Knex.Transaction | undefined): Promise<unknown> =>
    handler(context, Object.assign(surroundings, { params, query, body: body?.json, trx }));
  if (!runsInTransaction(operation)) return call(undefined);
  const { idempotency } = surroundings;
  const repeatable = idempotency && {
    ...idempotency,
    environmentId: surroundings.environment?.id ?? surroundings.site?.id,
    scope: scopeOf(valid),
  };
  const data = await once(context, repeatable, call);
  for (const work of committed) work();
  return data;
}

/** A key is known again only to the same operation, on the same record, for the same person. */
function scopeOf({ operation, params, caller }: ValidRequest): string {
  const { token: _, ...ids } = params;
  const person = caller === undefined ? [] : [`user ${caller.userId}`];
  return [operation.id, ...Object.values(ids), ...person].join(' ');
}

/**
 * Decisions and counts go through group commit, which has its own transactions and keys. A changed password counts failures that
 * outlive its transaction: with one around it, each call would hold two connections, and a full pool would wait for itself. What waits
 * for a receiver's answer must keep no transaction open.
 */
const OWN_TRANSACTIONS = new Set<string>([
  'changePassword',
  'logConsent',
  'savePreferences',
  'recordVisitorConsent',
  'recordImpression',
  'recordVisitorEvents',
  'testWebhook',
  'redeliver',
]);

const runsInTransaction = ({ id, method, bearer, takesKey }: Operation): boolean =>
  method !== 'GET' && (bearer || takesKey) && !OWN_TRANSACTIONS.has(id);

async function surround(
  context: Context,
  exchange: Exchange,
  valid: ValidRequest,
  afterCommit: Surroundings['afterCommit'],
): Promise<Surroundings> {
  const { operation, params, body, address, caller, site } = valid;
  const key = exchange.request.headers['idempotency-key'];
  const bodyHash = (): string =>
    createHash('sha256')
      .update(body?.raw ?? '')
      .digest('hex');
  const idempotency =
    operation.takesKey && typeof key === 'string' ? { key, bodyHash: bodyHash() } : undefined;
  const member =
    caller !== undefined && operation.hasToken
      ? await authorise(context, caller, params.token as string, operation.role ?? 'owner')
      : undefined;
  // What the contract does not promise stays undefined; a handler that asks for it is a defect that its first test finds.
  return {
    caller: caller as Caller,
    environment: member?.environment as Surroundings['environment'],
    role: member?.role as Surroundings['role'],
    site: site as Site,
    afterCommit,
    trx: undefined as unknown as Knex.Transaction,
    client: clientOf(exchange.request, address),
    address,
    idempotency,
    bodyHash,
  };
}

export { authenticate };
