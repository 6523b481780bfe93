import type { IncomingMessage } from 'node:http';
import type { Operation } from '../contract/operations';
import { ValidationError } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import { admitVisitor } from './admit';
import { sendError } from './answer';
import { mediaType, readBody } from './body';
import { beginExchange, type Exchange, finishExchange } from './exchange';
import { createFileHost, MAX_CONDITION, type VisitorHost, type VisitorHostOptions } from './file-host';
import { beginVisit } from './late';
import { limitCostly, limitStored } from './limits';
import { parseQuery } from './query';
import { run } from './run';
import type { ValidRequest } from './valid-request';
import { type VisitorValidator, visitorValidator } from './validators';

/**
 * Answers the ordinary requests of visitors ahead of Express on the same server, because Express and its
 * validator cost several times as much as everything else. Same handlers, same contract, same errors;
 * anything unusual (pre-flights, wrong methods, encodings) is left to Express.
 */
export function createVisitorHost(options: VisitorHostOptions): VisitorHost {
  const routes = new Map<string, Operation>();
  for (const operation of options.contract.operations) {
    if (operation.visitor && !operation.file) routes.set(`${operation.method} ${operation.path}`, operation);
  }
  const files = createFileHost(options);
  return (request, response) => {
    if (files(request, response)) return true;
    const url = request.url as string;
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    const tokenAt = path.indexOf('/env_');
    if (tokenAt === -1) return false;
    const token = path.slice(tokenAt + 1, tokenAt + 27);
    if (!isEnvironmentToken(token)) return false;
    const operation = routes.get(
      `${request.method} ${path.slice(0, tokenAt + 1)}{token}${path.slice(tokenAt + 27)}`,
    );
    if (operation === undefined || !isOrdinary(request, operation)) return false;
    const exchange = beginExchange(request, response);
    exchange.open = true;
    exchange.operationId = operation.id;
    finishExchange(exchange, options.context);
    beginVisit(exchange, options.context);
    const validator = visitorValidator(operation);
    const search = queryAt === -1 ? '' : url.slice(queryAt + 1);
    answer(options, exchange, operation, validator, token, search).catch((error) =>
      sendError(exchange, error, options.context.log),
    );
    return true;
  };
}

function isOrdinary(request: IncomingMessage, { bodyTypes }: Operation): boolean {
  const { headers } = request;
  if (headers['content-encoding'] !== undefined || headers.expect !== undefined) return false;
  if ((headers['if-none-match']?.length ?? 0) > MAX_CONDITION) return false;
  return bodyTypes.length === 0 || bodyTypes.includes(mediaType(request));
}

async function answer(
  { context, addressOf, limiter }: VisitorHostOptions,
  exchange: Exchange,
  operation: Operation,
  validate: VisitorValidator,
  token: string,
  search: string,
): Promise<void> {
  const address = addressOf(exchange.request);
  const site = await admitVisitor(context, limiter, exchange, token, address);
  limitCostly(limiter, site, address, operation);
  limitStored(limiter, address, operation);
  const query = parseQuery(search);
  const params = { token };
  const valid: ValidRequest = { operation, params, query, body: undefined, address, limiter, site };
  valid.body = await readBody(exchange, operation, valid);
  const key = operation.takesKey ? exchange.request.headers['idempotency-key'] : undefined;
  const errors = validate({ params, query, key: key as string | undefined, body: valid.body?.json });
  if (errors.length > 0) throw new ValidationError(errors);
  await run(context, exchange, valid);
}
