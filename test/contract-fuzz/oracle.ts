import type { Json } from '../../server/src/contract/document';
import { bodySchema, follow, type Parts, write } from './requests';
import { isValid } from './values';

/**
 * The statuses that a request which breaks the contract may get; undefined when the contract alone does not
 * forbid it.
 */
export function refusalOf(parts: Parts): number[] | undefined {
  const { operation, path, query, headers } = parts;
  // Broken percent-encoding is no path at all.
  if (!Object.values(path).every((value) => value.isWellFormed())) return [400];
  if ('Authorization' in headers) return [401];
  // A visitor's environment is looked up first: without one there is nothing to check the rest against.
  if (operation.open && operation.hasToken && !valid(parameter(parts, 'token').schema, path.token))
    return [404];
  const statuses = [...bodyRefusal(parts)];
  const parameters = operation.parameters.filter(
    ({ name, in: where }: Json) => where === 'path' && !valid(parameter(parts, name).schema, path[name]),
  );
  const names = query.map(([name]) => name);
  const badQuery =
    !operation.anyQuery &&
    (new Set(names).size < names.length ||
      query.some(
        ([name, value]) =>
          !operation.queryNames.has(name) || !valid(parameter(parts, name).schema, read(value)),
      ));
  const missing = operation.parameters.some(
    ({ name, in: where, required }: Json) => where === 'query' && required && !names.includes(name),
  );
  const key = headers['Idempotency-Key'];
  const badKey = operation.takesKey && key !== undefined && !/^[\x21-\x7e]{1,128}$/.test(key);
  if (parameters.length > 0 || badQuery || missing || badKey) statuses.push(400);
  return statuses.length === 0 ? undefined : statuses;
}

/** What a query says, which is read leniently: bytes that are not UTF-8 become U+FFFD (WHATWG URL). */
const read = (value: string): string => value.replaceAll(/\p{Surrogate}/gu, '\ufffd\ufffd\ufffd');

const parameter = ({ operation }: Parts, name: string): Json =>
  operation.parameters.find((one) => one.name === name);

/** Text stands for a number only in the way that everybody writes numbers. */
function valid(schema: Json, text: string | undefined): boolean {
  const { type } = follow(schema);
  if (text === undefined || !storable(text)) return false;
  if (type !== 'integer')
    return type === 'boolean' ? /^(true|false)$/.test(text) : type === 'array' || isValid(schema, text);
  return /^-?[0-9]+$/.test(text) && isValid(schema, Number(text));
}

function bodyRefusal(parts: Parts): number[] {
  const { operation, headers } = parts;
  const { body: sent } = write(parts);
  const schema = bodySchema(operation);
  if (schema === undefined) return sent === undefined || sent.length === 0 ? [] : [400];
  if (headers['Content-Encoding'] !== undefined) return [415];
  if (!operation.bodyTypes.includes(headers['Content-Type'] ?? '')) return [415];
  const bytes = Buffer.from(sent ?? '');
  if (bytes.length > operation.bodyLimit) return [413];
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isValid(schema, json) && isStorable(json) ? [] : [400];
  } catch {
    return [400];
  }
}

const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Whether a value holds nothing that is refused whatever the schema says: NUL, lone surrogates, more than 64
 * levels.
 */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < 64 &&
    Object.entries(value).every(([name, child]) => storable(name) && isStorable(child, depth + 1))
  );
}
