import { useState } from 'react';
import { session } from '../app/session';

/** Unsaved values by form. They outlive the page, but not the session or the tab. */
const kept = new Map<string, object>();
session.subscribe(() => {
  if (session.get() === undefined) kept.clear();
});

/**
 * The values of a form's fields, which are still there when the user leaves the page and comes back. Only
 * changed fields are kept: the others follow `initial`, which may be a record that somebody else changes.
 * @param key of the form and its record, such as `breach:ID`
 */
export function useKeptDraft<Draft extends object>(key: string, initial: Draft) {
  const [touched, setTouched] = useState<Partial<Draft>>(() => kept.get(key) ?? {});
  const [restored] = useState(() => kept.has(key));
  const value: Draft = { ...initial, ...touched };
  const names = Object.keys(touched) as (keyof Draft & string)[];
  const changed = names.filter((name) => JSON.stringify(value[name]) !== JSON.stringify(initial[name]));
  const set = (part: Partial<Draft>): void => {
    // From the map, not from the state, because two fields may change before the next render.
    const next = { ...(kept.get(key) as Partial<Draft>), ...part };
    kept.set(key, next);
    setTouched(next);
  };
  return {
    value,
    /** The fields that differ from `initial`. */
    changed,
    /** Whether values from an earlier visit were restored. */
    restored: restored && changed.length > 0,
    set,
    bind: <Key extends keyof Draft & string>(name: Key) => ({
      name,
      value: value[name],
      onChange: (next: Draft[Key]) => set({ [name]: next } as unknown as Partial<Draft>),
    }),
    /** Forgets the values, after saving or at the user's request. */
    discard: (): void => {
      kept.delete(key);
      setTouched({});
    },
  };
}
