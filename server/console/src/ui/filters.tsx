import './filters.css';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from './button';
import { Form, useDraft } from './form';

type Values<Name extends string> = Record<Name, string>;

/**
 * The filters of a list, kept in the page's address, so that a filtered list can be bookmarked and restored
 * by the back button.
 */
export function useFilters<Name extends string>(initial: Values<Name>) {
  const [search, setSearch] = useSearchParams();
  const names = Object.keys(initial) as Name[];
  const applied = Object.fromEntries(
    names.map((name) => [name, search.get(name) ?? initial[name]]),
  ) as Values<Name>;
  const draft = useDraft(applied);
  // The fields always show the filters in the address, also after going back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: typed text is replaced only when the address changes
  useEffect(() => draft.saved(applied), [String(search)]);
  const apply = (values: Values<Name>): void => {
    draft.set(values);
    const given = names.filter((name) => values[name].trim() !== initial[name]);
    const next = new URLSearchParams(given.map((name) => [name, values[name].trim()]));
    // Each change of the filters is one step in the history.
    setSearch(next, { replace: String(next) === String(search), preventScrollReset: true });
  };
  return {
    /** The filters in force. */
    applied,
    active: names.some((name) => applied[name] !== initial[name]),
    apply: () => apply(draft.value),
    clear: () => apply(initial),
    /** Other filters instead of those in force; what is left out is as it was at first. */
    replace: (values: Partial<Values<Name>>) => apply({ ...initial, ...values }),
    /**
     * Properties of a text field, which takes effect with the button. The name is the one in the server's
     * errors.
     */
    text: (name: Name) => ({ ...draft.bind(name), name: `query.${name}`, value: draft.value[name] }),
    /** Properties of a select field, which takes effect at once. */
    choice: (name: Name) => ({
      name: `query.${name}`,
      value: draft.value[name],
      onChange: (next: string) => apply({ ...draft.value, [name]: next }),
    }),
  };
}

/** The filters that are set, as a query. */
export const given = <Filters extends object>(filters: Filters): Partial<Filters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as Partial<Filters>;

/** Fields above a list. If the server refuses a filter, its field shows the error. */
export function FilterBar({
  filters,
  error,
  atOnce = false,
  children,
}: {
  filters: { apply: () => void; clear: () => void; active: boolean };
  error: Error | null;
  /** All fields take effect at once, so that there is no button. */
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
