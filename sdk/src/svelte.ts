import { type ConsentState, LOADING } from './browser/consent-state.js';
import { getState, subscribe } from './browser/consent-store.js';
import { type ConsentScriptOptions, loadWhenAllowed } from './browser/load-script.js';

export type { AvowConsent, AvowDecision } from './banner.js';
export type { ConsentScriptOptions, ConsentState };

/** A store by Svelte's contract, in all its versions: `$name` in a component is its value. */
export interface ConsentStore<Value> {
  /** Calls `run` at once, and after each change. Returns a function that ends this. */
  subscribe(run: (value: Value) => void): () => void;
}

function storeOf<Value>(read: (state: ConsentState) => Value): ConsentStore<Value> {
  return {
    subscribe(run) {
      // On the server nobody has decided.
      const isServer = typeof document === 'undefined';
      let last = read(isServer ? LOADING : getState());
      run(last);
      if (isServer) return () => undefined;
      return subscribe(() => {
        const next = read(getState());
        if (next === last) return;
        last = next;
        run(next);
      });
    },
  };
}

/** What the visitor has decided, and functions to decide and to open the settings. On the server it is `loading`. */
export const consent: ConsentStore<ConsentState> = storeOf((state) => state);

/**
 * Whether a category is allowed; of several, separated by spaces, whether all are. With a vendor's number, whether that
 * vendor is, where visitors are asked about it.
 */
export const allowed = (category: string, vendor?: number): ConsentStore<boolean> =>
  storeOf((state) => state.allows(category, vendor));

/**
 * Loads a script once its category is allowed: `onMount(() => consentScript({ … }))`. Returns a function that ends
 * the waiting, which Svelte calls when the component goes.
 */
export const consentScript = (options: ConsentScriptOptions): (() => void) => loadWhenAllowed(options);

/** What a frame waits for. */
export interface ConsentFrameOptions {
  /** The key of the category that the frame needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number;
  /** Its address, which the browser gets only when the category is allowed. */
  src: string;
}

/**
 * An action for the element around a frame, which has the banner block the frame until its category is allowed:
 * `<div use:consentFrame={{ category, src }}><iframe title="…"></iframe></div>`, in `{#key src}` where the address
 * changes. In the frame's place the banner shows a placeholder with a button that allows the category.
 */
export function consentFrame(around: HTMLElement, { category, vendor, src }: ConsentFrameOptions): void {
  // Not on the frame itself: for an action there, Svelte's server writes event handlers that a strict policy forbids.
  const frame = around.querySelector('iframe');
  if (!frame) return;
  frame.dataset.category = category;
  if (vendor !== undefined) frame.dataset.vendor = `${vendor}`;
  frame.dataset.src = src;
  // The banner reads them when an element is added.
  frame.replaceWith(frame);
}
