import type { AvowBanner, AvowCall } from '../banner.js';

/** The banner of the page, once its script has run. */
export function loadedBanner(): AvowBanner | undefined {
  const { Avow } = window;
  // An element with this id is neither.
  return Avow && !Array.isArray(Avow) && typeof Avow.getConsent === 'function' ? Avow : undefined;
}

/** Makes a call now, or when the banner's script has run. */
export function callBanner(...call: AvowCall): void {
  const { Avow } = window;
  if (!loadedBanner() && !Array.isArray(Avow)) window.Avow = [];
  (window.Avow as AvowBanner | AvowCall[]).push(call);
}
