import type { Texts, Vendor } from './contract.js';

/** Longer than this a visitor does not wait for what the script itself does not hold, in milliseconds. */
const PATIENCE = 3000;

/** What belongs to this very bundle and is asked for when it is needed; nothing when the server does not give it in time. */
export async function load(path: string): Promise<{ texts?: Texts; vendors?: Vendor[] } | undefined> {
  try {
    const url = `${config.server}/api/bundles/${config.token}/${hash}/${path}`;
    const signal = AbortSignal.timeout?.(PATIENCE) ?? null;
    const answer = await fetch(url, { credentials: 'omit', signal });
    // An error's `data` has neither.
    return (await answer.json()).data;
  } catch {
    return undefined;
  }
}
