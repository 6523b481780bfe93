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
  ...['accept-encoding', 'http2-settings', 'proxy', 'forwarded', 'x-forwarded', 'forwarded-for', 'via'],
  ...['x-real-ip', 'x-client-ip', 'client-ip', 'true-client-ip', 'x-cluster-client-ip', 'fastly-client-ip'],
  ...['x-rewrite-url', 'metadata', 'metadata-flavor', 'metadata-token', 'x-identity-header'],
]);
const RESERVED_BEGINNINGS = [
  ...['x-service-', 'webhook-', 'proxy-', 'sec-', 'x-forwarded-', 'x-original-', 'cf-connecting-'],
  ...['x-metadata-', 'x-google-metadata-', 'x-aws-ec2-', 'x-aliyun-ecs-'],
];

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
    // What is there may always be removed.
    if (isReserved(name) && !(value === null && present.has(name)))
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

/**
 * No value goes to another address unless it is given again: whoever may change the address could read there what is
 * never shown. Throws `ValidationError` that names those that are neither given nor removed.
 */
export function keepFromOthers(
  { url: from, header_names }: { url: string; header_names: readonly string[] },
  { url: to = from, headers = {} }: { url?: string; headers?: Readonly<Record<string, string | null>> },
): void {
  if (new URL(to).href === new URL(from).href) return;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const left = header_names.filter((name) => !given.has(name));
  if (left.length > 0)
    throw ValidationError.of(
      'body.headers',
      `must set ${left.join(', ')} again or remove it (null): no value is sent to another address than the one it was given for`,
      'required',
    );
}

/** Whether receivers could take a name for a reserved one: CGI and WSGI read `-` and `_` as the same. */
function isReserved(name: string): boolean {
  const read = name.replaceAll('_', '-');
  return RESERVED.has(read) || RESERVED_BEGINNINGS.some((beginning) => read.startsWith(beginning));
}
