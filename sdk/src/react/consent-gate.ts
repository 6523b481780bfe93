import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { useAllowed } from './use-consent.js';

export interface ConsentGateProps {
  /** The key of the category that the content needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number | undefined;
  /** What is shown until the category is allowed, also while nothing is known and after a withdrawal. */
  fallback?: ReactNode;
  children?: ReactNode;
}

/** Renders its children only while a category is allowed. They are never part of the server's HTML. */
export function ConsentGate({ category, vendor, fallback, children }: ConsentGateProps): ReactElement {
  return createElement(Fragment, null, useAllowed(category, vendor) ? children : fallback);
}
