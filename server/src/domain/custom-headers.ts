import { ValidationError } from './errors';

/** The maximum total length of a webhook's header names and values, in characters. */
const MAX_TOTAL = 4096;
const MAX_HEADERS = 10;

/**
 * Names that owners may not set: connection headers (RFC 9110 § 7.6.1), headers of the body, and headers by
 * which receivers trust a proxy or clouds trust their machines.
 */
const RESERVED = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['host', 'content-length', 'content-type', 'content-encoding', 'expect', 'date', 'user-agent'],
  ...['accept-encoding', 'forwarded', 'via', 'x-real-ip', 'metadata', 'metadata-flavor'],
]);
const RESERVED_BEGINNINGS = ['x-service-', 'webhook-', 'proxy-', 'sec-', 'x-forwarded-', 'x-aws-ec2-'];

/**
 * The headers after a change: a value sets one, null removes one, others are kept. Names become lower case.
 * Throws `ValidationError` for `body.headers`.
 */
export function changeHeaders(
  present: ReadonlyMap<string, string>,
  changes: Readonly<Record<string, string | null>>,
): Map<string, string> {
  const after = new Map(present);
  const seen = new Set<string>();
  for (const [given, value] of Object.entries(changes)) {
    const name = given.toLowerCase();
    const path = `body.headers.${given}`;
    if (isReserved(name))
      throw ValidationError.of(
        path,
        `must not be set: ${name} belongs to the service, the connection or a proxy`,
        'reserved',
      );
    if (seen.has(name)) throw ValidationError.of(path, 'is given twice: header names ignore case', 'unique');
    seen.add(name);
    if (value === null) after.delete(name);
    else after.set(name, value);
  }
  if (after.size > MAX_HEADERS)
    throw ValidationError.of(
      'body.headers',
      `would make ${after.size} headers with the existing ones: at most ${MAX_HEADERS} are allowed`,
      'maxProperties',
    );
  const total = [...after].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (total > MAX_TOTAL)
    throw ValidationError.of(
      'body.headers',
      `would make ${total} characters of names and values: at most ${MAX_TOTAL} are allowed`,
      'maxLength',
    );
  return after;
}

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning));
