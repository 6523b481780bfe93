import { type Avow, AvowApiError } from '@avow/sdk';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { isConflict } from '../../app/errors';
import { useSite } from '../../app/site';

export type Vendor = Schemas['Vendor'];
export type Change = (vendors: readonly Vendor[]) => Vendor[];

/** The first number of the owner's own vendors; the numbers of the IAB's list are far below. */
const OWN_IDS = 100_001;

/**
 * Reads the current list. Browsers may cache it for minutes, because banners read it; a condition that never
 * matches bypasses the cache.
 */
const read = (api: Avow, token: string, signal?: AbortSignal) =>
  api.getVendors({ token }, { signal, headers: { 'If-None-Match': '"none"' } });

/** The site's vendors. */
export function useVendors() {
  const { token } = useSite();
  return useAnswer(keys.site(token, 'vendors'), (api, signal) => read(api, token, signal));
}

/** The vendor and list that a vendor's page started with. */
export interface Edited {
  /** The vendor; problems of its fields are named by the field only. */
  id: () => number;
  /** The version of the list. */
  basedOn: number;
  /** Whether the vendor is still the same in a newer list. */
  isSame: (vendors: readonly Vendor[]) => boolean;
}

interface Options {
  success: string;
  onDone?: () => void;
  /** Only for a change of one vendor. */
  edited?: () => Edited;
}

/** How often a change is tried again after somebody else has changed the list. */
const TRIES = 5;

/**
 * Changes the list. The API replaces the whole list, so this reads it again first, and repeats the change if
 * somebody else has changed the list since: other changes are kept. A change of the same vendor by somebody
 * else is reported as a conflict.
 */
export function useChangeVendors({ edited, ...options }: Options) {
  const { token } = useSite();
  return useAction(
    async (api, change: Change) => {
      const mine = edited?.();
      for (let left = TRIES; ; left -= 1) {
        const now = await read(api, token);
        const vendors = change(now.vendors);
        // The server refuses a change based on an older list, and says why.
        const isFresh = mine === undefined || mine.isSame(now.vendors);
        const expected_version = isFresh ? now.vendor_list_version : mine.basedOn;
        try {
          return await api.replaceVendors({ token, body: { vendors, expected_version } });
        } catch (error) {
          if (!isConflict(error) || !isFresh || left === 1) throw renamed(error, vendors, mine?.id());
        }
      }
    },
    { ...options, changes: [keys.site(token)] },
  );
}

/** The next unused number. */
export const nextId = (vendors: readonly Vendor[]): number =>
  Math.max(OWN_IDS - 1, ...vendors.map(({ id }) => id).filter((id) => id < 2_147_483_647)) + 1;

/** Replaces the vendor with the same id, or adds it at the end. */
export const put =
  (vendor: Vendor): Change =>
  (vendors) =>
    vendors.some(({ id }) => id === vendor.id)
      ? vendors.map((one) => (one.id === vendor.id ? vendor : one))
      : [...vendors, vendor];

export const without =
  (gone: number): Change =>
  (vendors) =>
    vendors.filter(({ id }) => id !== gone);

/** The same error with readable paths: the field, or the vendor's name. */
function renamed(error: unknown, vendors: readonly Vendor[], focus: number | undefined): unknown {
  if (!AvowApiError.isApiError(error)) return error;
  const errors = error.errors.map((one) => {
    const [, at = '', field = ''] = /^body\.vendors\.(\d+)(?:\.(.*))?$/s.exec(one.path) ?? [];
    const vendor = vendors[Number(at)];
    if (at === '' || vendor === undefined) return one;
    return { ...one, path: vendor.id === focus ? `body.${field}` : `${vendor.name}, ${field}` };
  });
  return new AvowApiError(error.message, { ...error, errors });
}
