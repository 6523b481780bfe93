import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Context } from '../context';
import { ApiError, notFound, ValidationError } from '../errors';
import { beginExchange, type Exchange, sendError } from './answer';
import { authenticate } from './authenticate';
import { admitReader, admitVisitor, limitPublic, run, type ValidRequest } from './bind';
import { readBody } from './body';
import type { AddressOf } from './client';
import { type Contract, loadContract, type Match } from './contract';
import { answerPreflight, openTo } from './cors';
import { mountDocs } from './docs';
import { fieldPath } from './field-errors';
import { finishExchange } from './finish';
import { describeContractError, validateContract } from './openapi-validator';
import { mountPages } from './pages';
import { mountProbes, type Probes } from './probes';
import { parseQuery } from './query';
import type { RateLimiter } from './rate-limit';
import { isBad } from './strings';

export interface AppOptions {
  context: Context;
  addressOf: AddressOf;
  limiter: RateLimiter | undefined;
  probes: Probes;
  validateResponses: boolean;
}

/** What the steps of a request hand on to each other. */
interface Locals {
  exchange: Exchange;
  match: Match;
  valid: ValidRequest;
  unknownQuery: ValidationError | undefined;
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
    response.setHeader('X-Request-Id', exchange.requestId);
    finishExchange(exchange, context);
    next();
  });
  mountProbes(app, context, options.probes);
  mountPages(app, contract);
  mountDocs(app);
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

/** Everything before the contract's validation: operation, CORS, limits, login, body. False when the request is answered already. */
async function prepare(
  { context, addressOf, limiter }: AppOptions,
  contract: Contract,
  request: Request,
  response: ApiResponse,
): Promise<boolean> {
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
  // The validator knows no HEAD: to the contract it is a GET whose body stays away.
  if (exchange.head) request.method = 'GET';
  const address = addressOf(request);
  const valid: ValidRequest = { operation, params, query: {}, body: undefined, address };
  response.locals.match = match;
  response.locals.valid = valid;
  if (operation.bearer) valid.caller = await authenticate(context, request);
  if (operation.open && operation.hasToken) {
    valid.site = operation.file
      ? await admitReader(context, limiter, params, address)
      : await admitVisitor(context, limiter, exchange, params.token as string, address);
  }
  const isCostly = operation.limit !== undefined;
  if (!operation.hasToken && (operation.open || isCostly)) limitPublic(limiter, address, operation);
  valid.body = await readBody(request, operation);
  request.body = valid.body?.json;
  // Parameters of a media type would each get a compiled validator of their own, for ever.
  if (valid.body === undefined) delete request.headers['content-type'];
  else
    request.headers['content-type'] =
      request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || 'application/json';
  if (!operation.anyQuery) response.locals.unknownQuery = checkQuery(request.query, operation.queryNames);
  return true;
}

async function answer(context: Context, request: Request, response: ApiResponse): Promise<void> {
  const { exchange, valid, unknownQuery } = response.locals;
  if (unknownQuery !== undefined) throw unknownQuery;
  // Express gives each step parameters of its own; the validator's have the types of the contract.
  valid.params = (
    request as Request & { openapi: { pathParams: Record<string, string> } }
  ).openapi.pathParams;
  valid.query = { ...(request.query as Record<string, unknown>) };
  await run(context, exchange, valid);
}

function fail(context: Context, thrown: unknown, response: ApiResponse): void {
  const { exchange, unknownQuery } = response.locals;
  const error = describeContractError(thrown);
  if (
    error instanceof ApiError &&
    error.code === 'validation_failed' &&
    unknownQuery !== undefined &&
    error !== unknownQuery
  ) {
    sendError(exchange, new ValidationError([...error.errors, ...unknownQuery.errors]), context.log);
    return;
  }
  sendError(exchange, error, context.log);
}

/** Unknown names and characters that cannot be stored, which the validator would report one at a time. */
function checkQuery(query: Record<string, unknown>, known: ReadonlySet<string>): ValidationError | undefined {
  const errors = Object.entries(query).flatMap(([name, value]) => {
    const path = fieldPath(`/query/${name}`);
    if (!known.has(name))
      return [
        {
          path,
          message: 'is not known here: remove it, or check its spelling',
          code: 'additionalProperties',
        },
      ];
    if ([value].flat().some((part) => isBad(String(part)))) {
      return [{ path, message: 'must not contain NUL characters or lone surrogates', code: 'characters' }];
    }
    return [];
  });
  return errors.length > 0 ? new ValidationError(errors.slice(0, 100)) : undefined;
}
