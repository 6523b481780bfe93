import { useState } from 'react';
import { session } from '../app/session';

/** What was typed and not saved, by form: it outlives the page, never the session nor the tab. */
const kept = new Map<string, object>();
session.subscribe(() => {
  if (session.get() === undefined) kept.clear();
});

/**
 * What is being typed, kept when the page is left, so that it is there when the person comes back. Only
 * fields that were touched are kept: the others follow `initial`, which may be a record that somebody else
 * changes meanwhile.
 * @param key of the form and its record, such as `breach:ID`
 */
export function useKeptDraft<Draft extends object>(key: string, initial: Draft) {
  const [touched, setTouched] = useState<Partial<Draft>>(() => kept.get(key) ?? {});
  const [restored] = useState(() => kept.has(key));
  const value: Draft = { ...initial, ...touched };
  const names = Object.keys(touched) as (keyof Draft & string)[];
  const changed = names.filter((name) => JSON.stringify(value[name]) !== JSON.stringify(initial[name]));
  const set = (part: Partial<Draft>): void => {
    // From the map and not from the render: two fields may change before the next one.
    const next = { ...(kept.get(key) as Partial<Draft>), ...part };
    kept.set(key, next);
    setTouched(next);
  };
  return {
    value,
    /** The fields that differ from `initial`. */
    changed,
    /** Whether something from an earlier visit was found. */
    restored: restored && changed.length > 0,
    set,
    bind: <Key extends keyof Draft & string>(name: Key) => ({
      name,
      value: value[name],
      onChange: (next: Draft[Key]) => set({ [name]: next } as unknown as Partial<Draft>),
    }),
    /** Saved, or not wanted any more. */
    discard: (): void => {
      kept.delete(key);
      setTouched({});
    },
  };
}
