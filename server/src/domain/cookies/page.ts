import { createHash } from 'node:crypto';
import { beginning } from '../text';
import { parentsOf, registrableOf, siteOf } from './party';

/** How much of a page's address people are shown. */
const SHOWN = 200;
/** The maximum number of labels of a domain whose parents are looked for. */
const MAX_LABELS = 10;

/** A page that was scanned: host, path and query; the same by http and https. */
export interface ScannedPage {
  /** A hash of its address. */
  page: Buffer;
  /** The labels of its host backwards, each with a dot behind it. */
  place: string;
  /** Its address for people, which may be cut. */
  shown: string;
}

/** The page of an address. */
export function pageOf(address: string): ScannedPage {
  const url = new URL(address);
  const host = url.hostname.replace(/\.$/, '');
  const text = `${host}${url.port === '' ? '' : `:${url.port}`}${url.pathname}${url.search}`;
  return {
    page: createHash('sha256').update(text).digest(),
    place: placeOf(host),
    shown: text.length > SHOWN ? `${beginning(text, SHOWN - 1)}…` : text,
  };
}

/** Places from `low` to before `high`, in the order of bytes. */
export interface Span {
  low: string;
  high: string;
}

/** Where the pages of a site's domains are, as `isFirstParty` has it; no place is in two of the spans. */
export function spansOf(domains: readonly string[]): Span[] {
  const spans = domains.flatMap((domain): Span[] => {
    const site = siteOf(domain.toLowerCase());
    const parents = parentsOf(site).slice(-MAX_LABELS);
    const above = parents.filter((parent) => `.${parent}`.endsWith(`.${registrableOf(site)}`));
    const place = placeOf(site);
    return [
      // '/' is the byte behind '.'.
      { low: place, high: `${place.slice(0, -1)}/` },
      ...above.flatMap((parent) => [only(placeOf(parent)), only(placeOf(`www.${parent}`))]),
    ];
  });
  spans.sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : a.high > b.high ? -1 : 1));
  let end = '';
  return spans.filter(({ low, high }) => {
    if (low < end) return false;
    end = high;
    return true;
  });
}

const only = (place: string): Span => ({ low: place, high: `${place}!` });

/** `shop.example.com` gives `com.example.shop.`. */
const placeOf = (host: string): string => `${host.split('.').reverse().join('.')}.`;
