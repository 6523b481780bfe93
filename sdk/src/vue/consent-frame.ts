import { defineComponent, h, onMounted, shallowRef } from 'vue';
import type { VueComponent } from './component.js';

export interface ConsentFrameProps {
  /** The key of the category that the frame needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number;
  /** Its address, which the browser gets only when the category is allowed. */
  src: string;
  /** What it shows, for screen readers. */
  title: string;
}

/**
 * A frame that the banner blocks until its category is allowed; other attributes are those of an `iframe`. In its
 * place the banner shows a placeholder with a button that allows the category; the visitor's decision there is
 * recorded as such. The frame keeps its size.
 */
export const ConsentFrame: VueComponent<ConsentFrameProps> = defineComponent(
  (props: ConsentFrameProps) => {
    // What the banner does to its elements would not be what hydration expects: it gets them afterwards.
    const hydrated = shallowRef(false);
    onMounted(() => {
      hydrated.value = true;
    });
    return () => {
      const { category, vendor, src, title } = props;
      if (!hydrated.value) return h('iframe', { key: '', title });
      // Another address or category is another element: the banner reads them when one is added.
      const blocked = { 'data-category': category, 'data-vendor': vendor, 'data-src': src };
      return h('iframe', { key: `${category} ${vendor} ${src}`, title, ...blocked });
    };
  },
  { name: 'ConsentFrame', props: ['category', 'vendor', 'src', 'title'] },
) as never;
