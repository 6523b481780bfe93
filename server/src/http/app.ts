import type { Readable } from 'node:stream';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { inOwnTurn } from '../api/handler';
import type { Context } from '../context';
import { type Contract, loadContract, type Match } from '../contract/operations';
import { ApiError, notFound, ValidationError } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import type { Site } from '../ingest/site';
import { noteUse } from '../services/key-callers';
import { noteSession } from '../services/sessions';
import { authorise } from '../services/site-access';
import { admitLogReader, admitReader, admitVisitor } from './admit';
import { sendError } from './answer';
import { allowKey, authenticate, demandRecent, inTurnOfLookUps, limitLogin } from './authenticate';
import { checkType, readBody } from './body';
import { type AddressOf, clientOf } from './client';
import { answerPreflight, openTo } from './cors';
import { mountDocs } from './docs';
import { beginExchange, type Exchange, finishExchange } from './exchange';
import { fieldPath } from './field-errors';
import { beginVisit } from './late';
import { mountLedger } from './ledger';
import { limitCostly, limitPublic, limitStored, limitUnable, refuseReceipts } from './limits';
import { mountMailPages } from './mail';
import { describeContractError, validateContract } from './openapi-validator';
import { isOfOtherPage, otherPage } from './other-pages';
import { mountPages } from './pages';
import { mountProbes, type Probes } from './probes';
import { mountPublicPages } from './public-pages';
import { parseQuery } from './query';
import type { RateLimiter } from './rate-limit';
import { UNKNOWN_NAME } from './rule-words';
import { run } from './run';
import { SentFiles } from './sent-files';
import { isBad } from './strings';
import type { ValidRequest } from './valid-request';

export interface AppOptions {
  context: Context;
  addressOf: AddressOf;
  limiter: RateLimiter | undefined;
  probes: Probes;
  validateResponses: boolean;
}

/** What the steps of a request share. */
interface Locals {
  exchange: Exchange;
  match: Match;
  valid: ValidRequest;
  badAddress: ValidationError | undefined;
}

type ApiResponse = Response<unknown, Locals>;

/** The Express application: every endpoint, page and probe. */
export function createApp(options: AppOptions): Express {
  const { context } = options;
  const contract = loadContract();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQuery);
  app.use((request: Request, response: ApiResponse, next: NextFunction) => {
    const exchange = beginExchange(request, response);
    response.locals.exchange = exchange;
    // Set here once for all answers: pages, files, probes, redirects and 404s.
    response.setHeader('X-Request-Id', exchange.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    finishExchange(exchange, context);
    // Pipes end with neither side's failure: the file of an answer that breaks off would stay open for ever.
    response.once('pipe', (source: Readable) => response.once('close', () => source.destroy()));
    next();
  });
  mountProbes(app, context, options.probes, options);
  const sent = new SentFiles(context, options);
  mountPages(app, context, contract, options, sent);
  mountDocs(app, sent);
  mountLedger(app, context, options);
  mountMailPages(app, context, options);
  mountPublicPages(app, context, options);
  app.use((request: Request, response: ApiResponse, next: NextFunction) =>
    prepare(options, contract, request, response).then((go) => go && next(), next),
  );
  app.use(validateContract(contract, options.validateResponses));
  app.use((request: Request, response: ApiResponse, next: NextFunction) =>
    answer(context, request, response).catch(next),
  );
  app.use((error: unknown, _request: Request, response: ApiResponse, _next: NextFunction) =>
    fail(context, error, response),
  );
  return app;
}

/**
 * Everything before the contract's validation: operation, CORS, limits, login, body. False when the request
 * is answered already.
 */
async function prepare(
  options: AppOptions,
  contract: Contract,
  request: Request,
  response: ApiResponse,
): Promise<boolean> {
  const { context, addressOf, limiter } = options;
  const { exchange } = response.locals;
  if (!request.path.startsWith('/api/')) throw notFound('This page');
  if (request.method === 'OPTIONS') {
    answerPreflight(exchange, contract, context.config.consoleOrigins, request.path);
    return false;
  }
  openTo(exchange, contract, context.config.consoleOrigins, request.path);
  const match = contract.match(request.method, request.path);
  const { operation, params } = match;
  exchange.operationId = operation.id;
  const isOther = isOfOtherPage(request, context);
  if (isOther && !operation.anyOrigin) throw otherPage();
  // The contract has no HEAD: validate it as the GET that it stands for.
  if (exchange.head) request.method = 'GET';
  if (operation.open && operation.hasToken) beginVisit(exchange, context);
  const address = addressOf(request);
  const valid: ValidRequest = { operation, params, query: {}, body: undefined, address, limiter };
  response.locals.match = match;
  response.locals.valid = valid;
  const saysWho = operation.optionalLogin && request.headers.authorization !== undefined;
  if (operation.bearer || saysWho) {
    limitLogin(limiter, request, { address, isOther });
    valid.caller = await authenticate(context, request, { address, limiter });
    const { caller } = valid;
    const { key } = caller;
    // It may wait for a lock, which only others of the group wait for then.
    const inTurn = <Done>(note: () => Promise<Done>): Promise<Done> => inOwnTurn(context, caller, note);
    if (key !== undefined) {
      allowKey(key, operation);
      await noteUse(context, key, address, inTurn);
    } else await noteSession(context, caller.session, clientOf(request, address), inTurn);
    demandRecent(valid.caller, operation);
  }
  if (operation.open && operation.hasToken) {
    valid.site = await admit(options, exchange, valid);
    limitCostly(limiter, valid.site, address, operation);
    limitStored(limiter, address, operation);
    refuseReceipts(limiter, address, operation);
  }
  const isCostly = operation.limit !== undefined;
  if (!operation.hasToken && (operation.open || isCostly)) {
    refuseType(limiter, request, valid);
    limitPublic(limiter, address, operation, valid.caller !== undefined);
  }
  // Either the query is ignored or it is parsed in full; both are bounded.
  if (operation.anyQuery) request.url = request.path;
  const badAddress = checkAddress(request.query as Record<string, unknown>, match);
  await refuseStranger(context, valid);
  valid.body = await readBody(exchange, operation, valid);
  // Later than the body, which is refused by itself on the other host too.
  response.locals.badAddress = badAddress;
  request.body = valid.body?.json;
  // The validator would compile and keep another validator for each media type with parameters.
  if (valid.body === undefined) delete request.headers['content-type'];
  else
    request.headers['content-type'] =
      request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || 'application/json';
  return true;
}

/** Refuses what cannot be read before it counts as what it is no request for. Throws 415 and 429. */
function refuseType(
  limiter: RateLimiter | undefined,
  request: Request,
  { operation, address }: ValidRequest,
): void {
  if (operation.bodyTypes.length === 0) return;
  try {
    checkType(request, operation.bodyTypes);
  } catch (error) {
    limitUnable(limiter, address);
    throw error;
  }
}

/** The site of a request that needs no login. */
function admit(
  { context, limiter }: AppOptions,
  exchange: Exchange,
  { operation, params, address }: ValidRequest,
): Promise<Site> {
  const { token = '' } = params;
  if (operation.file) return admitReader(context, limiter, operation, params, address);
  if (!operation.visitor) return admitLogReader(context, limiter, token, address);
  return admitVisitor(context, limiter, exchange, token, address);
}

/**
 * Refuses callers without permission before the body is read; others are checked again afterwards. Throws 403
 * and 404.
 */
async function refuseStranger(context: Context, { operation, params, caller }: ValidRequest): Promise<void> {
  const { token = '' } = params;
  if (caller === undefined || operation.bodyTypes.length === 0 || !isEnvironmentToken(token)) return;
  await inTurnOfLookUps(caller, () => authorise(context.db, caller, { token }, operation.role ?? 'owner'));
}

async function answer(context: Context, request: Request, response: ApiResponse): Promise<void> {
  const { exchange, valid, badAddress } = response.locals;
  if (badAddress !== undefined) throw badAddress;
  // Express gives each step parameters of its own; the validator's have the types of the contract.
  valid.params = (
    request as Request & { openapi: { pathParams: Record<string, string> } }
  ).openapi.pathParams;
  valid.query = { ...(request.query as Record<string, unknown>) };
  await run(context, exchange, valid);
}

function fail(context: Context, thrown: unknown, response: ApiResponse): void {
  const { exchange, badAddress } = response.locals;
  // What a route's part of the path is when it is no UTF-8: no page has such an address.
  const error = thrown instanceof URIError ? notFound('This page') : describeContractError(thrown);
  if (
    error instanceof ApiError &&
    error.code === 'validation_failed' &&
    badAddress !== undefined &&
    error !== badAddress
  ) {
    sendError(exchange, new ValidationError([...badAddress.errors, ...error.errors]), context.log);
    return;
  }
  sendError(exchange, error, context.log);
}

/**
 * What the validator would report one at a time or let pass: unknown names of a query, characters that cannot
 * be stored, and numbers such as 1e3.
 */
function checkAddress(
  query: Record<string, unknown>,
  { operation, params }: Match,
): ValidationError | undefined {
  const errors = Object.entries(query).flatMap(([name, value]) => {
    const path = fieldPath(`/query/${name}`);
    if (!operation.queryNames.has(name))
      return [
        {
          path,
          message: UNKNOWN_NAME,
          code: 'additionalProperties',
        },
      ];
    if ([value].flat().some((part) => isBad(String(part)))) {
      return [{ path, message: 'must not contain NUL characters or lone surrogates', code: 'characters' }];
    }
    return [];
  });
  for (const [place, values] of Object.entries({ path: params, query }))
    for (const [name, value] of Object.entries(values))
      if (operation.integers.has(name) && isOddNumber(value))
        errors.push({ path: `${place}.${name}`, message: 'must be written in decimal digits', code: 'type' });
  return errors.length > 0 ? new ValidationError(errors) : undefined;
}

/** Whether a text is a whole number to JavaScript, as 1e3 and 0x10 are, but not to everybody. */
const isOddNumber = (text: unknown): boolean =>
  typeof text === 'string' && !/^-?[0-9]+$/.test(text) && Number.isInteger(Number(text));
