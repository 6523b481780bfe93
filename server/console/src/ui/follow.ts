import { useEffect, useRef, useState } from 'react';
import { isConflict } from '../app/errors';
import type { useDraft } from './form';

/**
 * Returns the version of the record that a draft is based on. Send it, so that the server refuses a change
 * based on an older version. A draft without changes follows the record. A draft with changes keeps its
 * version until the server has refused it; then its changes are applied to the current record, and it can be
 * sent again.
 * @param version of the current record: one value, or several that are sent together
 * @param now the current record as a draft
 * @param error of the action that saves
 */
export function useVersion<Draft extends object, Version>(
  draft: Pick<ReturnType<typeof useDraft<Draft>>, 'base' | 'dirty' | 'saved' | 'rebase'>,
  now: Draft,
  version: Version,
  error: Error | null,
): Version {
  const [basedOn, setBasedOn] = useState(version);
  const handled = useRef<Error>(null);
  useEffect(() => {
    const refused = isConflict(error) && handled.current !== error;
    const isSame = JSON.stringify(version) === JSON.stringify(basedOn);
    if (isSame && JSON.stringify(now) === JSON.stringify(draft.base)) return;
    if (draft.dirty && !(refused && !isSame)) return;
    handled.current = error;
    if (draft.dirty) draft.rebase(now);
    else draft.saved(now);
    setBasedOn(version);
  });
  return basedOn;
}
