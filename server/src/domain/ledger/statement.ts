import { rest } from '../rests';
import { runYielding } from '../yielding';
import { canonicalPieces, canonicalText } from './canonical';

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

/** The canonical text of a fact, which is what its leaf is about (RFC 8785). */
export const statementOf = (fact: Fact): string => canonicalText(contentOf(fact));

/** The same of a fact that may be long, such as a list of vendors: it rests meanwhile. */
export const longStatementOf = (fact: Fact): Promise<string> =>
  runYielding(joined(canonicalPieces(contentOf(fact))), rest);

const contentOf = ({ kind, site, record, imported_on }: Fact): object => ({
  ...{ avow: 1, kind, site, record },
  ...(imported_on === undefined ? {} : { imported_on }),
});

function* joined(pieces: Iterable<string>): Generator<void, string> {
  const parts: string[] = [];
  for (const piece of pieces) yield void parts.push(piece);
  return parts.join('');
}
