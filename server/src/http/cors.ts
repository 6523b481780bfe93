import { MAX_PATH } from '../contract/bounds';
import { type Contract, fitsSegment, type Operation } from '../contract/operations';
import type { Exchange } from './exchange';

/** The longest that Chromium keeps a pre-flight, in seconds. */
const MAX_AGE = '7200';

/**
 * Says who may read the answer: any origin if the contract opens the path, otherwise the console's origins.
 */
export function openTo(
  exchange: Exchange,
  contract: Contract,
  consoleOrigins: readonly string[],
  path: string,
): Operation[] {
  const given = path.length > MAX_PATH ? [] : path.slice(1).split('/');
  const here = contract.operations.filter(({ segments }) => sameShape(segments, given));
  const { origin } = exchange.request.headers;
  // Login is public too, but no page except the console has any business there.
  exchange.open = here.length > 0 && here.every(({ anyOrigin }) => anyOrigin);
  if (!exchange.open && origin !== undefined && consoleOrigins.includes(origin))
    exchange.consoleOrigin = origin;
  return here;
}

/** Answers a pre-flight (Fetch standard, CORS protocol). */
export function answerPreflight(
  exchange: Exchange,
  contract: Contract,
  consoleOrigins: readonly string[],
  path: string,
): void {
  const here = openTo(exchange, contract, consoleOrigins, path);
  const allowed = exchange.open ? '*' : exchange.consoleOrigin;
  const takesLogin = !exchange.open || here.some(({ bearer, optionalLogin }) => bearer || optionalLogin);
  exchange.operationId = 'preflight';
  exchange.response.writeHead(204, {
    'X-Request-Id': exchange.requestId,
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    ...(allowed === undefined || here.length === 0
      ? {}
      : {
          'Access-Control-Allow-Origin': allowed,
          'Access-Control-Allow-Methods': here.map(({ method }) => method).join(', '),
          'Access-Control-Allow-Headers': `Content-Type, Idempotency-Key, X-Request-Id, traceparent${takesLogin ? ', Authorization' : ''}`,
          'Access-Control-Max-Age': MAX_AGE,
        }),
  });
  exchange.response.end();
}

const sameShape = (pattern: string[], segments: string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => fitsSegment(part, segments[index] as string));
