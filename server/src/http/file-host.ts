import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type FileId, fileInMemory } from '../bundles/visitor-files';
import type { Context } from '../context';
import { type Json, resolve } from '../contract/document';
import type { Contract, Operation } from '../contract/operations';
import { admitReader } from './admit';
import { sendError } from './answer';
import type { AddressOf } from './client';
import { beginExchange, type Exchange, finishExchange } from './exchange';
import { sendStored } from './files';
import { beginVisit } from './late';
import type { RateLimiter } from './rate-limit';
import { run } from './run';

export interface VisitorHostOptions {
  context: Context;
  contract: Contract;
  addressOf: AddressOf;
  limiter: RateLimiter | undefined;
}

/** Handles a request and returns true, or leaves it to the other host. */
export type VisitorHost = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A longer list of tags violates the contract. */
export const MAX_CONDITION = 200;

/**
 * Answers the ordinary requests for visitors' files ahead of Express. A path that matches the contract's
 * patterns needs no further validation; anything else is left to Express, which says what is wrong.
 */
export function createFileHost({ context, contract, addressOf, limiter }: VisitorHostOptions): VisitorHost {
  const files = contract.operations
    .filter(({ file }) => file)
    .map((operation) => ({ operation, pattern: patternOf(operation) }));
  const prefix = commonStart(files.map(({ operation }) => operation.path));
  return (request, response) => {
    const url = request.url as string;
    if (!url.startsWith(prefix) || !isPlain(request.method, request.headers)) return false;
    for (const { operation, pattern } of files) {
      const params = pattern.exec(url)?.groups;
      if (params === undefined) continue;
      const exchange = beginExchange(request, response);
      exchange.open = true;
      exchange.operationId = operation.id;
      finishExchange(exchange, context);
      beginVisit(exchange, context);
      if (answerAtOnce(context, exchange, operation, params)) return true;
      const address = addressOf(request);
      admitReader(context, limiter, operation, params, address)
        .then((site) =>
          run(context, exchange, { operation, params, query: {}, body: undefined, address, site }),
        )
        .catch((error) => sendError(exchange, error, context.log));
      return true;
    }
    return false;
  };
}

/** Nearly every request: of a site that is known and answers, for a file that is in memory. */
function answerAtOnce(
  context: Context,
  exchange: Exchange,
  { id }: Operation,
  params: Record<string, string>,
): boolean {
  const site = context.sites.lastKnown(params.token as string);
  const file =
    site === undefined || site.paused ? undefined : fileInMemory(context.files, id as FileId, site, params);
  if (file === undefined) return false;
  sendStored(exchange, file, context.log);
  return true;
}

function isPlain(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    (headers['if-none-match']?.length ?? 0) <= MAX_CONDITION
  );
}

/** Paths as the contract's patterns allow them, unescaped, with or without a query where it is ignored. */
function patternOf({ path, parameters, anyQuery }: Operation): RegExp {
  const value = (name: string): string => {
    const { schema } = parameters.find((one) => one.name === name) as Json;
    return `(?<${name}>${resolve(schema).pattern.slice(1, -1)})`;
  };
  const place = path.replaceAll('.', '\\.').replace(/{(\w+)}/g, (_, name: string) => value(name));
  return new RegExp(`^${place}${anyQuery ? '(?:\\?.*)?' : ''}$`);
}

const commonStart = (paths: string[]): string => (paths[0] ?? '').slice(0, paths[0]?.indexOf('{'));
