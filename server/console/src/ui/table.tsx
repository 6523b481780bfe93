import './table.css';
import type { ReactNode } from 'react';
import { Button } from './button';
import { EmptyState, ErrorState, Loading } from './states';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Aligned to the right. */
  numeric?: boolean;
}

/** A table. Below 640 px each row becomes a card with labelled cells. The first cell identifies the row. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}) {
  // The roles are explicit, because `display` in narrow windows removes them from the elements.
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table className="table" aria-label={label} role="table">
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, numeric }) => (
            <th key={title} scope="col" role="columnheader" className={numeric ? 'numeric' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ title, cell, numeric }) => (
              <td key={title} role="cell" data-title={title} className={numeric ? 'numeric' : undefined}>
                <span className="cell">{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

interface Pages<Row> {
  rows: readonly Row[];
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

/** A table of the rows of `usePages`, with its states: loading, empty, failed, more to load. */
export function PagedTable<Row>({
  pages,
  empty,
  ...table
}: {
  pages: Pages<Row>;
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** `[title, text, action]` for a list without rows. */
  empty: readonly [string, ReactNode?, ReactNode?];
}) {
  if (pages.isPending) return <Loading lines={6} />;
  if (pages.error !== null && pages.rows.length === 0) {
    return <ErrorState error={pages.error} retry={() => pages.refetch()} />;
  }
  if (pages.rows.length === 0) {
    return (
      <EmptyState title={empty[0]} action={empty[2]}>
        {empty[1]}
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      <Table {...table} rows={pages.rows} />
      <Pager pages={pages} />
    </div>
  );
}

/** The number of shown rows, and a button for the next page. */
export function Pager<Row>({ pages }: { pages: Pages<Row> }) {
  return (
    <div className="row pager">
      <span className="hint" role="status">
        {pages.rows.length} shown{pages.hasNextPage ? '' : ', that is all'}
      </span>
      {pages.hasNextPage && (
        <Button small isPending={pages.isFetchingNextPage} onPress={() => pages.fetchNextPage()}>
          Load more
        </Button>
      )}
      {pages.error !== null && (
        <span className="field-error">The next page could not be read: try again.</span>
      )}
    </div>
  );
}
