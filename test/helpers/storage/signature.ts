import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as it came. */
export interface Signed {
  method: string;
  /** Path and query, as they were sent. */
  url: string;
  headers: Record<string, string | undefined>;
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
/** By how much a request's time may differ, in milliseconds. */
const LENIENCE = 15 * 60_000;

/**
 * Whether a request is signed by AWS Signature Version 4 with this key, written after Amazon's description of it and from
 * no other code; the error code of the storage otherwise.
 */
export function judge(
  { method, url, headers }: Signed,
  body: Buffer,
  key: { id: string; secret: string; region: string; now?: number },
): 'fine' | 'AccessDenied' | 'InvalidAccessKeyId' | 'SignatureDoesNotMatch' | 'XAmzContentSHA256Mismatch' {
  const [, id, day, region, service, names = '', signature = ''] =
    FORM.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== key.id) return 'InvalidAccessKeyId';
  const date = headers['x-amz-date'] ?? '';
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - (key.now ?? Date.now())) < LENIENCE) || !date.startsWith(day ?? ' '))
    return 'AccessDenied';
  const signed = names.split(';');
  if (!signed.includes('host') || !signed.includes('x-amz-content-sha256')) return 'AccessDenied';
  if (region !== key.region || service !== 's3') return 'SignatureDoesNotMatch';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const signing = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${key.secret}`, day as string), region as string),
  );
  const wanted = hmac(signing, text);
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex')) ? 'fine' : 'SignatureDoesNotMatch';
}
