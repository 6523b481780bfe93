import type { Stored } from '../api/handler';
import type { Encoding } from '../bundle/packed';
import { type Exchange, isKnown, sendBytes, sendNothing } from './answer';

/** Sends a file from memory in the best encoding that the client takes, or 304 when it has it. */
export function sendStored(exchange: Exchange, { file, cacheControl }: Stored): void {
  const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
  const etag = file.etags[encoding];
  const headers: Record<string, string> = {
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Timing-Allow-Origin': '*',
  };
  if (isKnown(exchange, etag)) {
    sendNothing(exchange, 304, headers);
    return;
  }
  headers['Content-Type'] = file.contentType;
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  sendBytes(exchange, file.bodies[encoding], headers);
}

/** Browsers send a handful of headers: what was chosen for one is kept. */
const chosen = new Map<string, Encoding>();
const MAX_CHOSEN = 200;

/** The best encoding that `Accept-Encoding` allows (RFC 9110 § 12.5.3); without the header none. */
export function chooseEncoding(header: string | string[] | undefined): Encoding {
  const text = String(header ?? '');
  const known = chosen.get(text);
  if (known !== undefined) return known;
  const weights = new Map(
    text.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const;
    }),
  );
  const takes = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  const encoding = takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
  if (chosen.size < MAX_CHOSEN) chosen.set(text, encoding);
  return encoding;
}
