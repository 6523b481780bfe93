import { useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert } from '../../ui';

type Dsar = Schemas['Dsar'];

/** The requests whose answer is only as good as the search for the data. */
const SEARCHED: ReadonlySet<Dsar['request_type']> = new Set(['access', 'erasure', 'portability']);

/** Asks once before a request is resolved while systems on its list were not searched. */
export function useOpenSearches({ request_id, request_type }: Dsar) {
  const { token } = useSite();
  const isSearched = SEARCHED.has(request_type);
  const { data } = useAnswer(
    keys.site(token, 'dsar', request_id, 'systems'),
    (api, signal) => api.getSearchList({ token, request_id }, { signal }),
    { enabled: isSearched },
  );
  const [asked, ask] = useState(false);
  const { searched = 0, total = 0 } = (isSearched && data) || {};
  const asks = asked && searched < total;
  return {
    ...{ asks, searched, total },
    /** Does it, unless this is the first time. */
    unlessOpen: (work: () => void): void => (asked || searched === total ? work() : ask(true)),
  };
}

export function StillOpen({ searched, total }: { searched: number; total: number }) {
  return (
    <Alert tone="warn" title={`${searched} of ${total} systems searched`} live>
      Resolve the request only if nothing is left to be found in the others.
    </Alert>
  );
}
