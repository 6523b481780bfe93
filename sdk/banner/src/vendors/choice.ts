import type { AskedVendor, Decision } from '../contract.js';
import { eachAsked } from './asked.js';

/** A vendor of which nothing is said is as its categories are. */
export const byCategories =
  (allows: (key: string) => boolean) =>
  ({ categories }: AskedVendor): boolean =>
    categories.every(allows);

/** What a visitor or the page has chosen by vendor: the next decision takes it. */
let staged: ((vendor: AskedVendor) => boolean) | undefined;
export const stage = (choice: typeof staged): void => {
  staged = choice;
};

/** What a decision says of each vendor. */
export function chosenVendors(decision: Decision, allows: (key: string) => boolean): Record<string, boolean> {
  const chosen = staged ?? byCategories(allows);
  staged = undefined;
  return eachAsked(decision === 'save_preferences' ? chosen : () => decision === 'accept_all');
}

/** The numbers of those that are allowed. */
export const idsOn = (vendors: Record<string, boolean>): number[] =>
  Object.keys(vendors)
    .filter((id) => vendors[id])
    .map(Number);

/** Those that are in the first list alone. */
export const without = (ids: number[], others: number[]): number[] =>
  ids.filter((id) => !others.includes(id));
