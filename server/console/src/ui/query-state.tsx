import { Fragment, type ReactNode } from 'react';
import { ErrorState, Loading } from './states';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows the state of a query: loading, an error with a button to try again, or its data. Data stay when a
 * later read fails.
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

/** One part of a page, for `InTurn`: a query and what to show for it. */
export const part = <Data,>(query: Query<Data>, children: (data: Data) => ReactNode) => ({
  isLoaded: query.data !== undefined || query.error !== null,
  node: <QueryState query={query}>{children}</QueryState>,
});

/**
 * Shows parts of a page in order, each when those above it are loaded, so that nothing moves down while it is
 * being read.
 */
export function InTurn({ parts }: { parts: readonly ReturnType<typeof part>[] }) {
  const missing = parts.findIndex(({ isLoaded }) => !isLoaded);
  const shown = missing === -1 ? parts : parts.slice(0, missing + 1);
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page keep their order
  return shown.map(({ node }, index) => <Fragment key={index}>{node}</Fragment>);
}
