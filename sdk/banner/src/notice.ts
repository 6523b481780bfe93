import { KEY } from './memory.js';
import { preview } from './page.js';
import { asks } from './region.js';

/** The item that remembers a closed notice; it holds no id and is no consent. Never where visitors are asked first. */
export const NOTICE = `${KEY}:notice`;

/** For this page view, where nothing can be stored. */
let closed = false;

/** Notes that the visitor has read the notice of this policy version. */
export function note(): void {
  closed = true;
  try {
    if (!preview) localStorage.setItem(NOTICE, config.policy_version);
  } catch {
    // Storage is disabled or full: the next page shows the notice again.
  }
}

/** Whether the visitor is only told, and has been. */
export function isTold(): boolean {
  if (asks()) return false;
  try {
    return closed || (!preview && localStorage.getItem(NOTICE) === config.policy_version);
  } catch {
    return closed;
  }
}
