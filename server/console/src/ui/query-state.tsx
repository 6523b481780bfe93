import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

/** Shows what a query is at: loading, failed (with a way to try again), or its data. Data that are here stay when a later reading fails. */
export function QueryState<Data>({
  query,
  loading,
  children,
}: {
  query: Query<Data>;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} retry={() => query.refetch()} />;
  return loading ?? <Loading />;
}
