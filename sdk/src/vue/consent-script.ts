import { defineComponent, onBeforeUnmount, onMounted, watch } from 'vue';
import { loadWhenAllowed } from '../browser/load-script.js';
import type { VueComponent } from './component.js';

export interface ConsentScriptProps {
  /** The key of the category that it needs; of several, separated by spaces, it needs all. */
  category: string;
  /** The number of a vendor that is waited for instead, where visitors choose by vendor and are asked about it. */
  vendor?: number;
  /** Its address. A page loads an address once, however many components ask for it. */
  src: string;
  /** Of the page's Content-Security-Policy. By default that of the page's other scripts. */
  nonce?: string;
  /** Further attributes of its element, such as `type`, `integrity`, `crossorigin` and `data-…`. */
  attributes?: Readonly<Record<string, string>>;
  /** It has run; called at once where it had run before. */
  onLoad?: () => void;
  /** It could not be loaded. The next component that asks for it tries again. */
  onError?: (error: Error) => void;
}

/** Loads a script once its category is allowed. Renders nothing. */
export const ConsentScript: VueComponent<ConsentScriptProps> = defineComponent(
  (props: Omit<ConsentScriptProps, 'onLoad' | 'onError'>, { emit }) => {
    let stop = (): void => undefined;
    const begin = (): void => {
      stop();
      stop = loadWhenAllowed({
        ...props,
        onLoad: () => emit('load'),
        onError: (error) => emit('error', error),
      });
    };
    onMounted(begin);
    watch(() => [props.category, props.vendor, props.src], begin);
    onBeforeUnmount(() => stop());
    return () => null;
  },
  {
    name: 'ConsentScript',
    props: ['category', 'vendor', 'src', 'nonce', 'attributes'],
    emits: { load: () => true, error: (_: Error) => true },
  },
) as never;
