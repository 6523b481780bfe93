import { ValidationError } from '../domain/errors';
import { TcStringError } from '../domain/tcf/bits';
import { type DecodedTcString, decodeTcString } from '../domain/tcf/decode';
import type { Site } from './site';

/**
 * On a site with IAB Europe's framework, a string must be one of TCF 2.3, and of the CMP and the list that the named
 * bundle was made with, if that is one of the site's last. Sites without it may record the string of any other CMP. Throws `ValidationError`.
 */
export function refuseWrongTcString(
  { hasTcf, bundleTcf }: Pick<Site, 'hasTcf' | 'bundleTcf'>,
  { tc_string, bundle_hash }: { tc_string?: string; bundle_hash?: string },
): void {
  if (!hasTcf || tc_string === undefined) return;
  const decoded = read(tc_string);
  if (decoded.disclosed === undefined)
    throw wrong('has no segment of disclosed vendors, which TCF 2.3 demands in each string');
  const named = bundle_hash === undefined ? undefined : bundleTcf.get(bundle_hash);
  // What is refused is forgotten by browsers, and may be a withdrawal: of an earlier bundle it is stored as it is.
  if (named === undefined) return;
  if (decoded.cmpId !== named.cmp)
    throw wrong(`is of the CMP ${decoded.cmpId}, and the bundle was made with ${named.cmp}`);
  if (decoded.listVersion !== named.list)
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
