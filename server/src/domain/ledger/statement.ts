import canonicalize from 'canonicalize';

/** What a leaf can be about. */
export type LeafKind =
  | 'consent'
  | 'form_consent'
  | 'settings'
  | 'vendors'
  | 'bundle'
  | 'dsar'
  | 'breach'
  | 'erasure'
  | 'import';

/** A fact of a site. */
export interface Fact {
  kind: LeafKind;
  /** The site's token. */
  site: string;
  record: object;
  /** Of a record from before the log: the instant at which it was sealed. */
  imported_on?: string | undefined;
}

/**
 * A value in the one way to write it (RFC 8785). A list of vendors may have 20,000 objects: the engine writes a copy whose
 * keys are in order many times faster than the library, but puts keys that are numbers first.
 */
export function canonicalText(value: unknown): string {
  const copy = ordered(value);
  return copy === UNORDERED ? (canonicalize(value) as string) : JSON.stringify(copy);
}

const UNORDERED = Symbol('keys of it have another order in a copy');

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && !Number.isFinite(value) ? UNORDERED : value;
  if ('toJSON' in value) return UNORDERED;
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.includes(UNORDERED) ? UNORDERED : items;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const item = ordered((value as Record<string, unknown>)[key]);
    if (item === UNORDERED || DIGIT.test(key) || key === '__proto__') return UNORDERED;
    copy[key] = item;
  }
  return copy;
}

const DIGIT = /^\d/;

/** The canonical text of a fact, which is what its leaf is about (RFC 8785). */
export const statementOf = ({ kind, site, record, imported_on }: Fact): string =>
  canonicalText({
    avow: 1,
    kind,
    site,
    record,
    ...(imported_on === undefined ? {} : { imported_on }),
  });
