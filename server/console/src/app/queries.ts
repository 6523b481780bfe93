import { QueryClient } from '@tanstack/react-query';
import { session } from './session';

/** No retries here: the SDK retries calls, and a page shows the error with a button to try again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always', refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one person has read is shown to nobody else, in whichever tab the session ended.
let reader = session.get()?.user.id;
session.subscribe(() => {
  const now = session.get()?.user.id;
  if (reader !== undefined && now !== reader) queries.clear();
  reader = now;
});
