import { type Avow, AvowApiError } from '@avow/sdk';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

export type Vendor = Schemas['Vendor'];
export type Change = (vendors: readonly Vendor[]) => Vendor[];

/** Numbers from here on are the owner's own: those of the IAB's list are far below. */
const OWN_IDS = 100_001;

/** The list as it is now. Browsers may keep it for minutes, since banners read it: a condition that never holds goes past that. */
const read = (api: Avow, token: string, signal?: AbortSignal) =>
  api.getVendors({ token }, { signal, headers: { 'If-None-Match': '"none"' } });

/** The site's vendors. */
export function useVendors() {
  const { token } = useSite();
  return useAnswer(keys.site(token, 'vendors'), (api, signal) => read(api, token, signal));
}

/**
 * Changes the list. The API replaces it as a whole, so it is read again right before: what somebody else did meanwhile stays.
 * @param focus the id of the vendor that is edited: problems of its fields are named by the field alone
 */
export function useChangeVendors(options: { success: string; onDone?: () => void; focus?: () => number }) {
  const { token } = useSite();
  const { focus, ...rest } = options;
  return useAction(
    async (api, change: Change) => {
      const vendors = change((await read(api, token)).vendors);
      return api.replaceVendors({ token, body: { vendors } }).catch((error) => {
        throw renamed(error, vendors, focus?.());
      });
    },
    { ...rest, changes: [keys.site(token)] },
  );
}

/** The next number that no vendor has. */
export const nextId = (vendors: readonly Vendor[]): number =>
  Math.max(OWN_IDS - 1, ...vendors.map(({ id }) => id).filter((id) => id < 2_147_483_647)) + 1;

/** Puts one vendor into the place of the one with its id, or to the end. */
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

/** The same error with paths that people understand: the field, or the vendor's name. */
function renamed(error: unknown, vendors: readonly Vendor[], focus: number | undefined): unknown {
  if (!AvowApiError.isApiError(error)) return error;
  const errors = error.errors.map((one) => {
    const [, at = '', field = ''] = /^body\.vendors\.(\d+)\.?(.*)$/.exec(one.path) ?? [];
    const vendor = vendors[Number(at)];
    if (at === '' || vendor === undefined) return one;
    return { ...one, path: vendor.id === focus ? `body.${field}` : `${vendor.name}, ${field}` };
  });
  return new AvowApiError(error.message, { ...error, errors });
}
