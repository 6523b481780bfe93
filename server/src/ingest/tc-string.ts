import { ValidationError } from '../domain/errors';
import { TcStringError } from '../domain/tcf/bits';
import { type DecodedTcString, decodeTcString } from '../domain/tcf/decode';
import type { Site } from './site';

/**
 * On a site with IAB Europe's framework, a string must be one of TCF 2.3, of the site's CMP, and of the list that the
 * named bundle was made with. Sites without it may record the string of any other CMP. Throws `ValidationError`.
 */
export function refuseWrongTcString(
  { hasTcf, bundleTcf, bundle }: Pick<Site, 'hasTcf' | 'bundleTcf' | 'bundle'>,
  { tc_string, bundle_hash }: { tc_string?: string; bundle_hash?: string },
): void {
  if (!hasTcf || tc_string === undefined) return;
  const decoded = read(tc_string);
  if (decoded.disclosed === undefined)
    throw wrong('has no segment of disclosed vendors, which TCF 2.3 demands in each string');
  const named = bundle_hash === undefined ? undefined : bundleTcf.get(bundle_hash);
  const { cmp } = named ?? (bundle === undefined ? undefined : bundleTcf.get(bundle)) ?? {};
  if (cmp !== undefined && decoded.cmpId !== cmp)
    throw wrong(`is of the CMP ${decoded.cmpId}, and this site has ${cmp}`);
  if (named !== undefined && decoded.listVersion !== named.list)
    throw wrong(`is of the vendor list ${decoded.listVersion}, and the bundle was made with ${named.list}`);
}

function read(text: string): DecodedTcString {
  try {
    return decodeTcString(text);
  } catch (error) {
    if (error instanceof TcStringError) throw wrong(error.message);
    throw error;
  }
}

const wrong = (message: string): ValidationError =>
  ValidationError.of('body.tc_string', `${message}: send what the banner of this site has made`, 'tc_string');
