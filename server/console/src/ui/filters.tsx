import './filters.css';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from './button';
import { Form, useDraft } from './form';

type Values<Name extends string> = Record<Name, string>;

/**
 * The filters of a list, kept in the page's address: a filtered list can be bookmarked, and is there again on
 * the way back.
 */
export function useFilters<Name extends string>(initial: Values<Name>) {
  const [search, setSearch] = useSearchParams();
  const names = Object.keys(initial) as Name[];
  const applied = Object.fromEntries(
    names.map((name) => [name, search.get(name) ?? initial[name]]),
  ) as Values<Name>;
  const draft = useDraft(applied);
  // The fields always show the address's filters, also after going back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed is given up for a new address only
  useEffect(() => draft.saved(applied), [String(search)]);
  const apply = (values: Values<Name>): void => {
    draft.set(values);
    const given = names.filter((name) => values[name].trim() !== initial[name]);
    const next = new URLSearchParams(given.map((name) => [name, values[name].trim()]));
    // Each filter is a step of the way back, once.
    setSearch(next, { replace: String(next) === String(search), preventScrollReset: true });
  };
  return {
    /** What the list is filtered by. */
    applied,
    active: names.some((name) => applied[name] !== initial[name]),
    apply: () => apply(draft.value),
    clear: () => apply(initial),
    /** For a text, which takes effect with the button; the name is the one that the server's errors use. */
    text: (name: Name) => ({ ...draft.bind(name), name: `query.${name}`, value: draft.value[name] }),
    /** For a choice, which takes effect at once. */
    choice: (name: Name) => ({
      name: `query.${name}`,
      value: draft.value[name],
      onChange: (next: string) => apply({ ...draft.value, [name]: next }),
    }),
  };
}

/** Only the filters that are set, as a query. */
export const given = <Filters extends object>(filters: Filters): Partial<Filters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as Partial<Filters>;

/** Fields above a list. A filter that the server refuses is told at its field. */
export function FilterBar({
  filters,
  error,
  atOnce = false,
  children,
}: {
  filters: { apply: () => void; clear: () => void; active: boolean };
  error: Error | null;
  /** Every field is a choice, which takes effect without a button. */
  atOnce?: boolean;
  children: ReactNode;
}) {
  return (
    <search className="filter-bar">
      <Form action={{ pending: false, error }} onSubmit={filters.apply}>
        <div className="filters">
          {children}
          {(!atOnce || filters.active) && (
            <div className="filter-buttons">
              {!atOnce && <Button type="submit">Search</Button>}
              {filters.active && (
                <Button variant="quiet" onPress={filters.clear}>
                  Clear filters
                </Button>
              )}
            </div>
          )}
        </div>
      </Form>
    </search>
  );
}
