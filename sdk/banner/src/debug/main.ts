import { watch } from './collect.js';
import { refresh, show } from './panel.js';

/**
 * The diagnostics view, which a person loads by a line in the browser's console: no page does it for its visitors. Stores
 * nothing, and asks this server only for the banner's script once more.
 */
if (!Object.hasOwn(window, 'avowDebug')) {
  let isWatching = false;
  window.avowDebug = () => {
    if (!isWatching) watch(refresh);
    isWatching = true;
    show();
  };
}
