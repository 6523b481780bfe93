import { type ComponentPropsWithoutRef, createElement, type ReactElement, useSyncExternalStore } from 'react';

export interface ConsentFrameProps
  extends Omit<ComponentPropsWithoutRef<'iframe'>, 'src' | 'srcDoc' | 'children'> {
  /** The key of the category that the frame needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number | undefined;
  /** Its address, which the browser gets only when the category is allowed. */
  src: string;
  /** What it shows, for screen readers. */
  title: string;
}

const never = (): (() => void) => () => undefined;

/**
 * A frame that the banner blocks until its category is allowed. In its place the banner shows a placeholder with a
 * button that allows the category; the visitor's decision there is recorded as such. The frame keeps its size.
 */
export function ConsentFrame({ category, vendor, src, ...rest }: ConsentFrameProps): ReactElement {
  // What the banner does to its elements would not be what hydration expects: it gets them afterwards.
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!hydrated) return createElement('iframe', { ...rest, key: '' });
  // Another address or category is another element: the banner reads them when one is added.
  const key = `${category} ${vendor} ${src}`;
  const blocked = { 'data-category': category, 'data-vendor': vendor, 'data-src': src };
  return createElement('iframe', { ...rest, key, ...blocked });
}
