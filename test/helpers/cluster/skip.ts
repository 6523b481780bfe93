import { onCluster } from '../database';

/**
 * On a cluster all tests of the suite are skipped, loudly: for those that mean nothing there. Called before its first
 * test.
 */
export function skipOnCluster(why: string): void {
  if (onCluster()) Object.assign(globalThis, { test: skipped(why) });
}

/** `test`; on a cluster one that is skipped, loudly. */
export const notOnCluster = (why: string): typeof test => (onCluster() ? skipped(why) : test);

function skipped(why: string): typeof test {
  console.warn(`SKIPPED on a cluster: ${why}`);
  return test.skip as typeof test;
}
