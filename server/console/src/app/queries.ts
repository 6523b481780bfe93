import { QueryClient } from '@tanstack/react-query';

/** The SDK repeats what makes sense; a page shows the rest and offers to try again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always', refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
