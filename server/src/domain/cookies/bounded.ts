import { UNCLASSIFIED } from './classification';
import { isHostLength, type ScanResult } from './result';

/** Bytes of a result as JSON: anybody who knows its id may read it, and read it slowly. */
export const MAX_RESULT = 256 * 1024;
/** What a result has besides its lists, in bytes: its keys and flags, and the finding that it was cut. */
const SPARE = 1_024;

const CUT = {
  rule: 'result_cut',
  severity: 'info',
  message: 'The scan found more than can be kept: there is more than is listed here.',
} as const;

type List = 'cookies' | 'requests' | 'stored_items';
/** In this order. */
const LISTS: readonly List[] = ['cookies', 'requests', 'stored_items'];

/**
 * A result that is not too large. What is known to be more than necessary stays first, of it cookies, then hosts,
 * then what else is stored; then from where the banner held something, which goes on to be held by it; then everything
 * else in the same order; the object stores of databases last.
 */
export function bounded(whole: ScanResult): ScanResult {
  const result = withoutLongHosts(whole);
  if (bytesOf(result) <= MAX_RESULT) return result;
  const kept = new Set<object>();
  let left = MAX_RESULT - SPARE - bytesOf(result.findings);
  const fits = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const held: string[] = [];
  for (const isFirst of [true, false]) {
    for (const list of LISTS) {
      for (const one of result[list] ?? []) {
        if (isTelling(one) !== isFirst) continue;
        // What follows is smaller at best by chance: which are kept must not hang on it.
        if (!fits(bytesOf('object_stores' in one ? { ...one, object_stores: [] } : one) + 1)) break;
        kept.add(one);
      }
    }
    if (!isFirst) continue;
    for (const host of result.held_hosts ?? []) {
      if (!fits(bytesOf(host) + 1)) break;
      held.push(host);
    }
  }
  const isKept = (one: object): boolean => kept.has(one);
  return {
    ...result,
    cookies: result.cookies.filter(isKept),
    requests: result.requests.filter(isKept),
    ...(result.held_hosts && { held_hosts: held }),
    stored_items: (result.stored_items ?? [])
      .filter(isKept)
      .map((item) => (fits(bytesOf(item.object_stores)) ? item : { ...item, object_stores: [] })),
    findings: [...result.findings, CUT],
    conclusive: false,
  };
}

/** Scans from before they were left out may have them. */
const withoutLongHosts = (result: ScanResult): ScanResult => ({
  ...result,
  cookies: result.cookies.filter(({ domain }) => isHostLength(domain)),
  requests: result.requests.filter(({ host }) => isHostLength(host)),
  ...(result.held_hosts && { held_hosts: result.held_hosts.filter(isHostLength) }),
  ...(result.stored_items && { stored_items: result.stored_items.filter(({ host }) => isHostLength(host)) }),
});

const isTelling = ({ category }: { category: string }): boolean =>
  category !== 'necessary' && category !== UNCLASSIFIED;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
