/** Frames that the visitor has had loaded without a decision; nothing is stored of it. */
let loaded = new WeakSet<Element>();

export const isLoadedOnce = (frame: Element): boolean => loaded.has(frame);
export const loadOnce = (frame: Element): void => void loaded.add(frame);

/** A decision counts for them, too. */
export const forgetLoaded = (): void => {
  loaded = new WeakSet();
};
