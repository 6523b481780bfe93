import type { AvowBanner } from '../../../src/banner.js';
import { answer } from '../answer.js';
import { isKnown, isVendorAllowed } from '../consent.js';
import { asked, askedVendor } from './asked.js';
import { byCategories, stage } from './choice.js';

type Calls = Required<Pick<AvowBanner, 'save' | 'isVendorAllowed'>>;

/** What a page can say and ask of vendors by their numbers. */
export const vendorCalls = (): Calls => ({
  save: (categories, vendors = {}) => {
    const [given, named] = [own(categories), own(vendors)];
    const unknown = Object.keys(given).find((name) => !isKnown(name));
    if (unknown != null) throw new Error(`Avow.save: this site has no category "${unknown}".`);
    const stranger = Object.keys(named).find((id) => !askedVendor(id));
    if (stranger != null) throw new Error(`Avow.save: visitors are not asked about vendor "${stranger}".`);
    const allows = (key: string): boolean => given[key] === true;
    stage((one) => (one.id in named ? named[one.id] === true : byCategories(allows)(one)));
    answer('save_preferences', 'api', allows);
  },
  isVendorAllowed: (id) => asked.some((one) => one.id === id && isVendorAllowed(one)),
});

const own = (given: Record<string, boolean>): Record<string, boolean> =>
  ({ __proto__: null, ...given }) as never;
