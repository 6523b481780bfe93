import { defineComponent } from 'vue';
import type { VueComponent } from './component.js';
import { useConsent } from './use-consent.js';

export interface ConsentGateProps {
  /** The key of the category that the content needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number;
}

export interface ConsentGateSlots {
  /** What waits for consent. */
  default?(): unknown;
  /** What is shown until the category is allowed, also while nothing is known and after a withdrawal. */
  fallback?(): unknown;
}

/**
 * Renders its default slot only while a category is allowed, and the slot `fallback` otherwise. The first is never
 * part of the server's HTML.
 */
export const ConsentGate: VueComponent<ConsentGateProps, ConsentGateSlots> = defineComponent(
  (props: ConsentGateProps, { slots }) => {
    const consent = useConsent();
    return () =>
      consent.value.allows(props.category, props.vendor) ? slots.default?.() : slots.fallback?.();
  },
  { name: 'ConsentGate', props: ['category', 'vendor'] },
) as never;
