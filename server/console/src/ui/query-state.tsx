import { Fragment, type ReactNode } from 'react';
import { ErrorState, Loading } from './states';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows what a query is at: loading, failed (with a way to try again), or its data. Data that are here stay
 * when a later reading fails.
 */
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

/** One part of a page, for `InTurn`. */
export const part = <Data,>(query: Query<Data>, children: (data: Data) => ReactNode) => ({
  isHere: query.data !== undefined || query.error !== null,
  node: <QueryState query={query}>{children}</QueryState>,
});

/** Parts of a page, each after those above it are there: nothing that is read moves down under the eyes. */
export function InTurn({ parts }: { parts: readonly ReturnType<typeof part>[] }) {
  const missing = parts.findIndex(({ isHere }) => !isHere);
  const shown = missing === -1 ? parts : parts.slice(0, missing + 1);
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page stay where they are
  return shown.map(({ node }, index) => <Fragment key={index}>{node}</Fragment>);
}
