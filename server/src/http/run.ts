import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { handlers } from '../api';
import {
  type Always,
  Cached,
  type Caller,
  Download,
  InChunks,
  type OfMember,
  senderOf,
} from '../api/handler';
import { prechecks } from '../api/prechecks';
import { JSON_TYPE, StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import type { Operation, OperationId } from '../contract/operations';
import { forbidden } from '../domain/errors';
import { MemberTurns } from '../domain/fair-turns';
import { seesSessions } from '../domain/session-refs';
import type { Site } from '../ingest/site';
import { BYTES_OF_ONE, limitMore, limitOwners, limitReading } from './admit';
import {
  inEnvelope,
  isKnown,
  sendFileHead,
  sendJson,
  sendJsonHead,
  sendNothing,
  successJson,
} from './answer';
import { auditOf, recordChange, recordExport } from './audit';
import { authenticate, authorise } from './authenticate';
import type { Body } from './body';
import { clientOf } from './client';
import { codingOf, compress, compressor } from './compress';
import { inTurnOfDownloads, isAwaited } from './downloads';
import type { Exchange } from './exchange';
import { sendContent, sendStored } from './files';
import { once } from './idempotency';
import { scopeOf } from './key-scope';
import type { RateLimiter } from './rate-limit';
import { endUnread } from './reading';
import { readSiteTimes } from './site-time';
import { stayMember, whileMember } from './stay-member';

/** A request that has passed the contract. */
export interface ValidRequest {
  operation: Operation;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Body | undefined;
  address: string;
  limiter?: RateLimiter | undefined;
  caller?: Caller;
  site?: Site;
  /** Whether whoever asked is shown sessions' ids, once their role is known. */
  seesSessions?: boolean;
}

/** Runs the handler of an operation and answers with what it returns: the same for both hosts. */
export function run(context: Context, exchange: Exchange, valid: ValidRequest): Promise<void> {
  const { operation, caller } = valid;
  const work = (): Promise<void> => runAndSend(context, exchange, valid);
  return caller !== undefined && operation.download ? inTurnOfDownloads(valid.limiter, caller, work) : work();
}

async function runAndSend(context: Context, exchange: Exchange, valid: ValidRequest): Promise<void> {
  const { operation } = valid;
  await precheck(context, valid);
  const data = await inOwnTurn(context, valid, () => invoke(context, exchange, valid));
  // Answered meanwhile, because it took too long.
  if (exchange.response.headersSent) return;
  const sending = {
    log: context.log,
    check: () => askAgain(context, exchange, valid),
    isAwaited: () => valid.caller !== undefined && isAwaited(valid.caller),
  };
  if (data instanceof Download) {
    const coding = codingOf(exchange, operation, data.contentType);
    sendFileHead(exchange, data, coding.headers);
    return sendContent(exchange, [data.content, ...(exchange.head ? [] : compressor(coding))], sending);
  }
  if (data instanceof InChunks) {
    const coding = codingOf(exchange, operation, JSON_TYPE);
    sendJsonHead(exchange, operation.status, coding.headers);
    const text = Readable.from(inEnvelope(data.json, operation.message), { objectMode: false });
    return sendContent(exchange, [text, ...(exchange.head ? [] : compressor(coding))], sending);
  }
  if (data instanceof StoredFile) {
    sendStored(exchange, data, context.log);
    return;
  }
  if (data instanceof Cached) {
    sendCached(exchange, operation, data);
    return;
  }
  const json = successJson(data, operation.message);
  limitReading(valid.limiter, valid, Buffer.byteLength(json));
  await sendData(context, exchange, operation, json);
}

/** Whether whoever asked may still read. Throws what the same request would be refused with now. */
async function askAgain(context: Context, { request }: Exchange, valid: ValidRequest): Promise<void> {
  if (valid.caller === undefined) return;
  const again = { ...valid, caller: await authenticate(context, request, valid.address) };
  await memberOf(context, again);
  if (valid.seesSessions && !again.seesSessions)
    throw forbidden('Your role no longer shows the ids of sessions: ask again for what it shows.');
}

/** Checks that call other servers, at once; they hold no turn that others of the group wait for. */
const PRECHECKS = new MemberTurns({ account: 2, group: 4 });

/** Whoever may not do what is asked for was refused before the body was read. */
async function precheck(context: Context, { operation, body, caller }: ValidRequest): Promise<void> {
  const check = prechecks[operation.id];
  if (check === undefined || caller === undefined) return;
  await PRECHECKS.take(senderOf(caller), () => check(context, { body: body?.json }), caller.patience);
}

/** They wait for other servers or their own kind, most without a connection, and are bounded where they do. */
const ELSEWHERE: ReadonlySet<OperationId> = new Set(['testWebhook', 'redeliver', 'checkDomain']);

const isElsewhere = ({ id, download }: Operation): boolean => download || ELSEWHERE.has(id);

/** Whoever has logged in takes turns with their group, so that nobody's requests take all connections. */
function inOwnTurn<Result>(
  { ownTurns }: Context,
  { caller, operation }: ValidRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  return caller === undefined || isElsewhere(operation)
    ? work()
    : ownTurns.take(senderOf(caller), work, caller.patience);
}

/** The JSON of an answer, compressed if that is allowed and pays. */
async function sendData(
  { log }: Context,
  exchange: Exchange,
  operation: Operation,
  json: string,
): Promise<void> {
  const coding = codingOf(exchange, operation, JSON_TYPE);
  const [bytes, headers] =
    coding.encoding === 'identity' ? [json, coding.headers] : await compress(json, coding);
  endUnread(exchange, bytes.length, log);
  sendJson(exchange, operation.status, bytes, headers);
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

/** They take turns of their own: at a hash, and at the vendor lists of visitors' connections. */
const OWN_TURNS: ReadonlySet<OperationId> = new Set(['login', 'acceptInvitation', 'getVendors']);

/**
 * Whether a request without a login asks for one of the owners' connections, and so waits for its turn. Decisions and
 * preferences have connections of their own, files are in memory.
 */
const isStrangers = ({ caller, operation }: ValidRequest): boolean =>
  caller === undefined && !OWN_TURNS.has(operation.id) && (operation.transaction || !operation.visitor);

/** Calls the handler: in a transaction if the contract says so, and then only once per idempotency key. */
async function invoke(context: Context, exchange: Exchange, valid: ValidRequest): Promise<unknown> {
  const { operation, params, query, body, caller, site } = valid;
  // Each handler is typed; at this point the contract has checked the input.
  const handler = handlers[operation.id] as (context: Context, request: object) => Promise<unknown>;
  const always = surroundingsOf(context, exchange, valid);
  if (body !== undefined) always.countMore(Math.floor(body.raw.length / BYTES_OF_ONE));
  const member = await memberOf(context, valid);
  const zone = member?.environment.settings.time_zone;
  const asked = zone === undefined ? query : readSiteTimes(query, operation.timeNames, zone);
  const audit = auditOf(exchange, valid, member?.environment.id);
  const request = Object.assign(
    { params, query: asked, body: body?.json, caller, site, audit },
    always,
    member,
  );
  const inTurn = (work: () => Promise<unknown>): Promise<unknown> =>
    isStrangers(valid) ? context.turns.take(site, valid.address, work) : work();
  const stay = (trx: Knex): Promise<void> => stayMember(trx, valid, member);
  if (!operation.transaction)
    return inTurn(async () => {
      const answer = whileMember(context.db, operation.id, stay, () => handler(context, request));
      return recordExport(context, exchange, audit, valid, asked, await answer);
    });
  const committed: (() => void)[] = [];
  const afterCommit = (work: () => void): void => void committed.push(work);
  const { idempotency } = always;
  const repeatable = idempotency && {
    ...idempotency,
    environmentId: member?.environment.id ?? site?.id,
  };
  const call = async (trx: Knex.Transaction): Promise<unknown> => {
    const answer = await handler(context, Object.assign(request, { trx, afterCommit }));
    await recordChange(trx, audit, valid, answer);
    await stay(trx);
    return answer;
  };
  const work = (): Promise<unknown> => once(context, repeatable, call);
  const data = await inTurn(work);
  for (const then of committed) then();
  return data;
}

/** The environment of an owner's request and the caller's role there. Throws 403 and 404. */
async function memberOf(
  context: Context,
  valid: ValidRequest,
): Promise<Omit<OfMember, 'caller'> | undefined> {
  const { operation, params, caller } = valid;
  if (caller === undefined || operation.role === undefined) return undefined;
  const member = await authorise(context, caller, params.token as string, operation.role);
  valid.seesSessions = seesSessions(member.role, caller);
  return member;
}

function surroundingsOf({ vault }: Context, { request }: Exchange, valid: ValidRequest): Always {
  const { operation, body, address, limiter, site, caller } = valid;
  const key = request.headers['idempotency-key'];
  const bodyHash = (): string =>
    createHash('sha256')
      .update(body?.raw ?? '')
      .digest('hex');
  const keyed = (sent: string, hash: string) => ({
    scope: scopeOf(vault, valid, hash),
    key: sent,
    bodyHash: hash,
  });
  const idempotency = operation.takesKey && typeof key === 'string' ? keyed(key, bodyHash()) : undefined;
  const countMore = (more: number): void => {
    if (more <= 0) return;
    if (site !== undefined) limitMore(limiter, site, address, more);
    else if (caller !== undefined) limitOwners(limiter, address, more);
  };
  return { client: clientOf(request, address), address, idempotency, bodyHash, countMore };
}
