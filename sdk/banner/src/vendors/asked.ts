import type { AskedVendor } from '../contract.js';

/** The vendors that visitors are asked about. */
export const asked = config.asked_vendors as AskedVendor[];

/** The one of this number, as names and markup have it. */
export const askedVendor = (number: string | null): AskedVendor | undefined =>
  asked.find(({ id }) => `${id}` === number?.trim());

/** The one that an element waits for, instead of its categories. */
export const vendorOf = (element: Element): AskedVendor | undefined =>
  askedVendor(
    holds
      ? (element.getAttribute('data-vendor') ?? element.getAttribute('data-avow-vendor'))
      : element.getAttribute('data-vendor'),
  );

/** For each of them whether something holds, by its number. */
export const eachAsked = (is: (vendor: AskedVendor) => boolean): Record<string, boolean> =>
  ({ __proto__: null, ...Object.fromEntries(asked.map((one) => [one.id, is(one)])) }) as never;
