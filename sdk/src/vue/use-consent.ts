import { getCurrentInstance, onMounted, onScopeDispose, type ShallowRef, shallowRef } from 'vue';
import { type ConsentState, LOADING } from '../browser/consent-state.js';
import { getState, subscribe } from '../browser/consent-store.js';

/**
 * What the visitor has decided, and functions to decide and to open the settings. On the server and while the page
 * is hydrated it is `loading`. Ends with the component or the effect scope that calls it.
 */
export function useConsent(): Readonly<ShallowRef<ConsentState>> {
  const state = shallowRef(LOADING);
  let end: (() => void) | undefined;
  const begin = (): void => {
    const read = (): void => {
      state.value = getState();
    };
    end = subscribe(read);
    read();
  };
  // In a component not before it is mounted: what is hydrated must be what the server has rendered.
  if (getCurrentInstance()) onMounted(begin);
  else if (typeof document !== 'undefined') begin();
  onScopeDispose(() => end?.());
  return state;
}
