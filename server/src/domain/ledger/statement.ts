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

/** A value in the one way to write it (RFC 8785). */
export const canonicalText = (value: unknown): string => canonicalize(value) as string;

/** The canonical text of a fact, which is what its leaf is about (RFC 8785). */
export const statementOf = ({ kind, site, record, imported_on }: Fact): string =>
  canonicalText({
    avow: 1,
    kind,
    site,
    record,
    ...(imported_on === undefined ? {} : { imported_on }),
  });
