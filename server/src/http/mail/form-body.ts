import { mediaType, readBody } from '../body';
import type { Exchange } from '../exchange';

/** A form of these pages. */
const FORM = {
  bodyTypes: ['application/x-www-form-urlencoded'],
  bodyRequired: false,
  bodyLimit: 4_096,
};

/** The fields of a form, each once; the one-click request of mail programs is one, too (RFC 8058). */
export async function readForm(exchange: Exchange): Promise<ReadonlyMap<string, string>> {
  const { request } = exchange;
  const type = mediaType(request);
  // Some mail programs send the one field as multipart/form-data, which nothing here needs to read.
  if (type === 'multipart/form-data' || type === '') {
    request.resume();
    return new Map();
  }
  const body = await readBody(exchange, FORM);
  return new Map(Object.entries((body?.json ?? {}) as Record<string, string>));
}
