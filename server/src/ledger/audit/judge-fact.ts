import { type Kept, readKept } from '../../db/ledger/kept';
import { timeOfId } from '../../domain/ids';
import type { LeafKind } from '../../domain/ledger/statement';
import type { FactRow } from '../statements';
import type { Audited } from './audited-site';
import type { Instant } from './judge-instant';

/** Facts whose rows change, so that their statements are kept. */
export const KEPT_KINDS: ReadonlySet<LeafKind> = new Set(['dsar', 'breach', 'erasure', 'import']);

/** What the columns of a fact say besides its statement must be what the statement says. */
export function judgeFact({ site, findings }: Audited, fact: FactRow & Instant): void {
  const wrong = wrongColumns(fact, site);
  if (wrong.length > 0)
    findings.add(
      'altered',
      `fact ${fact.fact_id} (${fact.kind}) does not fit its own columns: ${wrong.join(', ')}`,
    );
}

function wrongColumns(fact: FactRow & Instant, { id, token }: Audited['site']): string[] {
  const { fact_id, at, is_finer, kind, subject, statement, imported } = fact;
  const wrong = !is_finer && at.getTime() === timeOfId(fact_id).getTime() ? [] : ['at'];
  if (!KEPT_KINDS.has(kind)) return statement === null ? wrong : [...wrong, 'statement'];
  const kept = readKept(statement);
  if (kept === undefined) return [...wrong, 'statement'];
  if (kept.kind !== kind) wrong.push('kind');
  if (kept.site !== token) wrong.push('statement');
  if ((kept.imported_on !== undefined) !== imported) wrong.push('imported');
  if (subject !== (kept.kind === 'import' ? id : subjectOf(kept))) wrong.push('subject');
  return wrong;
}

const subjectOf = ({ kind, record }: Kept): unknown => {
  if (kind === 'erasure') return record.erasure_id;
  const about = record[kind === 'dsar' ? 'request' : 'breach'] as Record<string, unknown> | undefined;
  return about?.[kind === 'dsar' ? 'request_id' : 'breach_id'];
};
