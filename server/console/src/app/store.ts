import { useSyncExternalStore } from 'react';

/** A value outside of React. Components that read it by `useValue` render again when it changes. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = (): Value => value;
  const subscribe = (notify: () => void): (() => void) => {
    listeners.add(notify);
    return () => listeners.delete(notify);
  };
  return {
    get,
    subscribe,
    set(next: Value): void {
      value = next;
      for (const notify of listeners) notify();
    },
    useValue: (): Value => useSyncExternalStore(subscribe, get),
  };
}
