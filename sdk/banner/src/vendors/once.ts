import { vendorOf } from './asked.js';

/** Frames that the visitor has had loaded without a decision; nothing is stored of it. */
let loaded = new WeakSet<Element>();
/** Of whom: a page can give its frame the address of another vendor, which nobody has asked about. */
const vendors = new WeakMap<Element, unknown>();

export const isLoadedOnce = (frame: Element): boolean =>
  holds ? loaded.has(frame) && vendors.get(frame) === vendorOf(frame) : loaded.has(frame);
export const loadOnce = (frame: Element): void => {
  loaded.add(frame);
  if (holds) vendors.set(frame, vendorOf(frame));
};

/** A decision counts for them, too. */
export const forgetLoaded = (): void => {
  loaded = new WeakSet();
};
