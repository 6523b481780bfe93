import { getState, subscribe } from './consent-store.js';

/** A script that waits for consent. */
export interface ConsentScriptOptions {
  /** The key of the category that it needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number | undefined;
  /** Its address. A page loads an address once, however many components ask for it. */
  src: string;
  /** Of the page's Content-Security-Policy. By default that of the page's other scripts. */
  nonce?: string | undefined;
  /** Further attributes of its element, such as `type`, `integrity`, `crossorigin` and `data-…`. */
  attributes?: Readonly<Record<string, string>> | undefined;
  /** It has run; called at once where it had run before. */
  onLoad?: (() => void) | undefined;
  /** It could not be loaded. The next component that asks for it tries again. */
  onError?: ((error: Error) => void) | undefined;
}

const loaded = new Map<string, Promise<void>>();

/**
 * Loads a script as soon as its category is allowed. Returns a function after which it is not loaded any more,
 * and nobody is told. What has run cannot be undone.
 */
export function loadWhenAllowed(options: ConsentScriptOptions): () => void {
  let stopped = false;
  let asked = false;
  const look = (): void => {
    if (asked || !getState().allows(options.category, options.vendor)) return;
    asked = true;
    load(options).then(
      () => stopped || options.onLoad?.(),
      (error: Error) => stopped || options.onError?.(error),
    );
  };
  const unsubscribe = subscribe(look);
  look();
  return () => {
    stopped = true;
    unsubscribe();
  };
}

function load(options: ConsentScriptOptions): Promise<void> {
  const { src } = options;
  const known = loaded.get(src);
  if (known) return known;
  const loading = insert(options);
  loaded.set(src, loading);
  loading.catch(() => loaded.delete(src));
  return loading;
}

function insert({ src, nonce = pageNonce(), attributes = {} }: ConsentScriptOptions): Promise<void> {
  const script = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  if (nonce) script.nonce = nonce;
  // In the order in which they were asked for.
  script.async = false;
  script.src = src;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`The script ${src} could not be loaded.`));
    };
    document.head.append(script);
  });
}

const pageNonce = (): string | undefined => Array.from(document.scripts).find(({ nonce }) => nonce)?.nonce;
