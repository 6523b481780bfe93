import { useState } from 'react';
import { keys, type Output } from '../../app/data';
import { session } from '../../app/session';

type Changed = Output<'confirmTotp'>;

/** What is read again after a change of the second factors. */
export const CHANGED = [keys.factors, keys.sessions];

/** Waits for a change, and takes the new token at once: what is read again needs it. */
export async function renewed(call: Promise<Changed>): Promise<Changed> {
  const changed = await call;
  session.set(changed.session);
  return changed;
}

/** Keeps the recovery codes that are shown once. */
export function useFactorsChanged() {
  const [codes, setCodes] = useState<string[]>();
  return {
    codes,
    changed: ({ recovery_codes }: Changed): void => setCodes(recovery_codes),
    clear: () => setCodes(undefined),
  };
}
