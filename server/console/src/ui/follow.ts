import { useEffect, useRef, useState } from 'react';
import { isConflict } from '../app/errors';
import type { useDraft } from './form';

/**
 * Ties a draft to the version of a record that it was made upon, which it answers: send it, and the server
 * refuses a change upon an older one. An untouched draft follows the record. One with changes keeps its
 * version until the server has refused it; then it is put over the present record, and can be sent again.
 * @param version one value, or several that are sent together
 * @param now the present record as a draft
 * @param error of the action that saves
 */
export function useVersion<Draft extends object, Version>(
  draft: Pick<ReturnType<typeof useDraft<Draft>>, 'base' | 'dirty' | 'saved' | 'rebase'>,
  now: Draft,
  version: Version,
  error: Error | null,
): Version {
  const [upon, setUpon] = useState(version);
  const answered = useRef<Error>(null);
  useEffect(() => {
    const refused = isConflict(error) && answered.current !== error;
    const isSame = JSON.stringify(version) === JSON.stringify(upon);
    if (isSame && JSON.stringify(now) === JSON.stringify(draft.base)) return;
    if (draft.dirty && !(refused && !isSame)) return;
    answered.current = error;
    if (draft.dirty) draft.rebase(now);
    else draft.saved(now);
    setUpon(version);
  });
  return upon;
}
