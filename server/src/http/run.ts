import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { handlers } from '../api';
import type { Always, OfMember } from '../api/handler';
import type { Context } from '../context';
import { retried } from '../db/retried';
import { forbidden } from '../domain/errors';
import { seesSessions } from '../domain/session-refs';
import { authorise, authoriseWithSite } from '../services/site-access';
import { auditOf, recordChange, recordExport } from './audit';
import { authenticate, inTurnOfLookUps } from './authenticate';
import { clientOf, headerOfProxy } from './client';
import { inTurnOfDownloads } from './downloads';
import type { Exchange } from './exchange';
import { once } from './idempotency';
import { scopeOf } from './key-scope';
import {
  keyOf,
  limitCostlyAtSite,
  limitDeclarations,
  limitLinks,
  limitMore,
  limitOwners,
  limitReceipts,
} from './limits';
import { limitDay } from './limits-of-day';
import { sendAnswer } from './send-answer';
import { readSiteTimes } from './site-time';
import { stayMember, whileMember } from './stay-member';
import { inTurnOfOwners, inTurnOfStrangers, precheck } from './turns';
import type { ValidRequest } from './valid-request';
import { Weight } from './weight';

/** Runs the handler of an operation and answers with what it returns: the same for both hosts. */
export function run(context: Context, exchange: Exchange, valid: ValidRequest): Promise<void> {
  const { operation, caller } = valid;
  const work = (): Promise<void> => runAndSend(context, exchange, valid);
  return caller !== undefined && operation.download ? inTurnOfDownloads(valid.limiter, caller, work) : work();
}

async function runAndSend(context: Context, exchange: Exchange, valid: ValidRequest): Promise<void> {
  await precheck(context, valid);
  const data = await inTurnOfOwners(context, valid, () => invoke(context, exchange, valid));
  // Answered meanwhile, because it took too long.
  if (exchange.response.headersSent) return;
  return sendAnswer(context, exchange, valid, data, () => mayStillRead(context, exchange, valid));
}

/** Whether whoever asked may still read. Throws what the same request would be refused with now. */
async function mayStillRead(context: Context, { request }: Exchange, valid: ValidRequest): Promise<void> {
  const { operation, params, address } = valid;
  if (valid.caller === undefined) return;
  // The request is counted already.
  const caller = await authenticate(context, request, { address });
  const { role: needed } = operation;
  if (needed === undefined) return;
  const { role } = await inTurnOfLookUps(caller, () =>
    authorise(context.db, caller, { token: params.token as string }, needed),
  );
  if (valid.seesSessions && !seesSessions(role, caller))
    throw forbidden(
      'Your role no longer includes session ids: repeat the request to get what you may still see.',
    );
}

/** Runs the handler of an operation for a page of this server, which says in its own words what came of it. */
export const runForPage = (context: Context, exchange: Exchange, valid: ValidRequest): Promise<unknown> =>
  invoke(context, exchange, valid);

/** Calls the handler: in a transaction if the contract says so, and then only once per idempotency key. */
async function invoke(context: Context, exchange: Exchange, valid: ValidRequest): Promise<unknown> {
  const { operation, params, query, body, caller, site } = valid;
  // Each handler is typed; at this point the contract has checked the input.
  const handler = handlers[operation.id] as (context: Context, request: object) => Promise<unknown>;
  const weight = weightOf(valid);
  const always = surroundingsOf(context, exchange, valid, weight);
  limitCostlyAtSite(valid.limiter, valid);
  const member = await memberOf(context, valid);
  const zone = member?.environment.settings.time_zone;
  const asked = zone === undefined ? query : readSiteTimes(query, operation.timeNames, zone);
  const begin = () => auditOf(exchange, valid, member?.environment.id);
  const stay = (trx: Knex): Promise<void> => stayMember(trx, valid, member);
  const request = Object.assign(
    { params, query: asked, body: body?.json, caller, site, stay },
    always,
    member,
  );
  const inTurn = (work: () => Promise<unknown>) => inTurnOfStrangers(context, valid, work);
  const limit = () => limitDay(valid, member?.environment);
  if (!operation.transaction) {
    const countDay = limit();
    return inTurn(async () => {
      const audit = begin();
      const answer = whileMember(context.db, operation.id, stay, () =>
        handler(context, Object.assign(request, { audit })),
      );
      const data = await recordExport(context, exchange, audit, valid, asked, await answer);
      if (audit?.written) countDay();
      return data;
    });
  }
  const committed: (() => void)[] = [];
  const afterCommit = (work: () => void): void => void committed.push(work);
  const { idempotency } = always;
  const repeatable = idempotency && {
    ...idempotency,
    environmentId: member?.environment.id ?? site?.id,
  };
  // An owner's repetition is answered although the day is used up; a stranger is refused before any work.
  const early = caller === undefined || repeatable === undefined ? limit() : undefined;
  const call = async (trx: Knex.Transaction): Promise<unknown> => {
    const countDay = early ?? limit();
    const audit = begin();
    const answer = await handler(context, Object.assign(request, { trx, afterCommit, audit }));
    await recordChange(trx, audit, valid, answer);
    await stay(trx);
    if (audit === undefined || audit.written) afterCommit(countDay);
    return answer;
  };
  const tryOnce = (): Promise<unknown> => {
    // Of a run that the database has undone nothing is left, even if this one finds the answer of another request.
    committed.length = 0;
    weight.beginRun();
    return once(context, repeatable, call);
  };
  const work = (): Promise<unknown> => retried(tryOnce, () => !exchange.response.headersSent);
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
  const role = operation.role;
  const member = await inTurnOfLookUps(caller, () =>
    authoriseWithSite(context.db, caller, { token: params.token as string }, role),
  );
  valid.seesSessions = seesSessions(member.role, caller);
  return member;
}

/** What a request counts for besides the one. */
const weightOf = ({ operation, address, limiter, site, caller }: ValidRequest): Weight =>
  new Weight((more) => {
    if (site !== undefined) limitMore(limiter, keyOf(site, operation.id), address, more);
    else if (caller !== undefined) limitOwners(limiter, address, more);
  });

function surroundingsOf(
  { vault, config }: Context,
  { request }: Exchange,
  valid: ValidRequest,
  weight: Weight,
): Always {
  const { operation, body, address, limiter } = valid;
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
  const countMore = (more: number): void => weight.add(more);
  const countReceipt = (bytes: number): void => limitReceipts(limiter, address, bytes);
  const countDeclaration = (bytes: number): void => limitDeclarations(limiter, address, bytes);
  const countLink = (): void => limitLinks(limiter, valid.site, address);
  const counts = { countMore, countReceipt, countDeclaration, countLink };
  const proxyHeader = (name: string) => headerOfProxy(config.trustProxy, request, name);
  const { origin } = request.headers;
  const of = { client: clientOf(request, address), address, origin };
  return { ...of, proxyHeader, idempotency, bodyHash, ...counts };
}
