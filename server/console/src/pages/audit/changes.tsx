import { placeInWords } from '../../app/errors';
import { words } from '../../ui';
import style from './audit.module.css';
import type { AuditEvent } from './names';

type Change = AuditEvent['changes'][number];

/** The changed fields, each before and after; many are folded. */
export function Changes({ changes, changes_left_out: left }: AuditEvent) {
  if (changes.length === 0) return null;
  const list = (
    <>
      <ul className={style.changes}>
        {changes.map((change) => (
          <li key={change.field}>
            <Change {...change} />
          </li>
        ))}
      </ul>
      {left > 0 && <p className="hint">And {left} more, which are not kept here.</p>}
    </>
  );
  if (changes.length + left <= FEW) return list;
  return (
    <details>
      <summary>{changes.length + left} fields</summary>
      {list}
    </details>
  );
}

/** Shown without a click. */
const FEW = 3;

function Change({ field, before, after, truncated }: Change) {
  return (
    <>
      <span className="hint block">{fieldName(field)}</span>
      {before !== null && <del className={style.value}>{before}</del>}
      {before !== null && after !== null && <span aria-hidden="true"> → </span>}
      {after !== null && <ins className={style.value}>{after}</ins>}
      {truncated && <span className="hint block">Cut: it was longer.</span>}
    </>
  );
}

/** The contract's name of a field, such as `settings.banner.layout`, in words; what an export was limited to. */
const fieldName = (field: string): string =>
  field.startsWith('query.') ? `Limited to: ${words(field.slice(6)).toLowerCase()}` : placeInWords(field);
