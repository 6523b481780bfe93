import { useSyncExternalStore } from 'react';
import { type ConsentState, LOADING } from '../browser/consent-state.js';
import { getState, subscribe } from '../browser/consent-store.js';

/**
 * What the visitor has decided, and functions to decide and to open the settings. The component renders again on
 * each change. It needs no provider; on the server and while the page is hydrated it is `loading`.
 */
export const useConsent = (): ConsentState => useSyncExternalStore(subscribe, getState, () => LOADING);

/** Whether a category, or a vendor, is allowed. The component renders again only when this changes. */
export const useAllowed = (category: string, vendor?: number): boolean =>
  useSyncExternalStore(
    subscribe,
    () => getState().allows(category, vendor),
    () => false,
  );
