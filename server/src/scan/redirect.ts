import { webUrl } from '../domain/web-address';
import { LONG_ADDRESS, ScanFailure } from './failure';

/**
 * Longer addresses are not gone to. A header takes 16 KB, in an address each of its bytes may become six characters, and a
 * relative address adds to the one before.
 */
export const MAX_ADDRESS = 4_096;

/** Where a redirect leads to; undefined when that is no page of the web. Throws `ScanFailure` when it is too long. */
export function redirected(location: string, from: URL): URL | undefined {
  if (location.length > MAX_ADDRESS) throw new ScanFailure(LONG_ADDRESS);
  const to = webUrl(location, from);
  if (to !== undefined && to.href.length > MAX_ADDRESS) throw new ScanFailure(LONG_ADDRESS);
  return to;
}
