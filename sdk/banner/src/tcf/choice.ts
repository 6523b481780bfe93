import type { Decision, Tcf } from '../contract.js';
import { language } from '../language.js';
import type { Memory } from '../memory.js';
import { asks } from '../region.js';
import { decode } from './decode.js';
import { encode, type TcChoice } from './encode.js';
import { idsOf } from './ids.js';

const own = config.tcf as Tcf;

/** Whether this visitor is asked by the framework; where a region's rule asks nobody first, it does not apply. */
export const asksByTcf = asks;

/** What the settings layer has been left with: the next decision takes it. */
let staged: TcChoice | undefined;
export const stage = (choice: TcChoice): void => {
  staged = choice;
};

const everything = (): TcChoice => ({
  purposes: own.purposes,
  legInt: own.leg_int_purposes,
  special: own.special_features,
  vendors: idsOf(own.consent_vendors),
  legIntVendors: idsOf(own.leg_int_vendors),
});

/** Silence is no consent; to object is needed where a vendor has a legitimate interest. */
const untouched = (): TcChoice => ({ ...everything(), purposes: [], special: [], vendors: [] });
const nothing = (): TcChoice => ({ purposes: [], legInt: [], special: [], vendors: [], legIntVendors: [] });

/** What switches show first: the visitor's own earlier choice, in force or not. */
export const startOf = (tc: string | undefined): TcChoice => (tc ? decode(tc) : untouched());

/**
 * By categories, as the page's calls and placeholders name them: every purpose of one that is allowed now and was not, none
 * of one that is refused now. The rest stays as the visitor has decided, vendors and objections, too.
 */
function ofCategories(allows: (key: string) => boolean, inForce: Memory | null): TcChoice {
  const before = inForce?.tc ? decode(inForce.tc) : undefined;
  const base = before ?? untouched();
  const was = (key: string): boolean => !!before && inForce?.categories[key] === true;
  const ids = (is: (key: string) => boolean): Set<number> =>
    new Set(Object.entries(own.categories).flatMap(([key, needed]) => (is(key) ? needed : [])));
  const allowed = ids(allows);
  const [on, off] = [
    ids((key) => allows(key) && !was(key)),
    ids((key) => !allows(key) && (!before || was(key))),
  ];
  const stays = (id: number): boolean => allowed.has(id) || !off.has(id);
  const purposes = own.purposes.filter((id) => on.has(id) || (base.purposes.includes(id) && stays(id)));
  const legInt = own.leg_int_purposes.filter((id) => base.legInt.includes(id) && stays(id));
  const { vendors, legIntVendors } = everything();
  // Vendors go with the purposes, but for those that the visitor has refused by name.
  const known = before?.purposes[0] ? vendors.filter((id) => before.vendors.includes(id)) : vendors;
  return {
    purposes,
    legInt,
    special: own.special_features.filter((id) => base.special.includes(id)),
    vendors: purposes[0] ? known : [],
    legIntVendors: legInt[0] ? legIntVendors.filter((id) => base.legIntVendors.includes(id)) : [],
  };
}

/** A decision by the framework: its string, and what it allows of the site's categories. */
export function sign(
  decision: Decision,
  allows: (key: string) => boolean,
  inForce: Memory | null,
): { tc: string; allows: (key: string) => boolean } | undefined {
  if (!asksByTcf()) return;
  const chosen = staged;
  staged = undefined;
  const choice =
    decision === 'accept_all'
      ? everything()
      : decision === 'reject_all'
        ? nothing()
        : (chosen ?? ofCategories(allows, inForce));
  const purposes = decision === 'save_preferences' && chosen ? new Set(chosen.purposes) : undefined;
  return {
    tc: encode(
      { ...choice, legIntVendors: [...choice.legIntVendors, ...idsOf(own.special_vendors)] },
      {
        at: Date.now(),
        cmpId: own.cmp_id,
        cmpVersion: own.cmp_version,
        // A language of three letters has no place in it.
        language: /^[a-z]{2}(?![a-z])/.exec(language())?.[0] ?? 'en',
        screen: chosen ? 2 : 1,
        listVersion: own.vendor_list_version,
        policyVersion: own.policy_version,
        purposeOneTreatment: own.purpose_one_treatment,
        country: own.publisher_country,
        restrictions: own.restrictions.map((one) => ({ ...one, vendors: idsOf(one.vendors) })),
        disclosed: idsOf(own.vendors),
      },
    ),
    allows: (key) => {
      const needed = own.categories[key];
      return purposes && needed ? needed.every((id) => purposes.has(id)) : allows(key);
    },
  };
}
