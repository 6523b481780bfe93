import { QueryClient } from '@tanstack/react-query';

/** No retries here: the SDK retries calls, and a page shows the error with a button to try again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always', refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
