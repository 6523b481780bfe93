import { MAX_QUERY, MAX_QUERY_NAMES } from '../contract/bounds';
import { ValidationError } from '../domain/errors';

/**
 * A query as names and values; a repeated name becomes a list, which no parameter of the contract accepts.
 * Throws 400 before parsing when the query is too large.
 */
export function parseQuery(text: string | null | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  // Express gives null when there is none.
  if (!text) return query;
  if (text.length > MAX_QUERY)
    throw ValidationError.of('query', `must not be longer than ${MAX_QUERY} characters`, 'maxLength');
  if (countNames(text) > MAX_QUERY_NAMES)
    throw ValidationError.of('query', `must not have more than ${MAX_QUERY_NAMES} parameters`, 'maxItems');
  for (const [name, value] of new URLSearchParams(text)) {
    const given = query[name];
    if (given === undefined) query[name] = value;
    else if (Array.isArray(given)) given.push(value);
    else query[name] = [given, value];
  }
  return query;
}

function countNames(text: string): number {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count += 1;
  return count;
}
