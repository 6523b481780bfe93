import type { Decision, Tcf } from '../contract.js';
import { language } from '../language.js';
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

/** By categories, as the page's calls and placeholders name them: every purpose of one that is allowed. */
function ofCategories(allows: (key: string) => boolean): TcChoice {
  const all = Object.entries(own.categories);
  const allowed = new Set(all.filter(([key]) => allows(key)).flatMap(([, ids]) => ids));
  const refused = new Set(all.filter(([key]) => !allows(key)).flatMap(([, ids]) => ids));
  const { legInt, vendors, legIntVendors } = everything();
  const left = legInt.filter((id) => allowed.has(id) || !refused.has(id));
  return {
    purposes: own.purposes.filter((id) => allowed.has(id)),
    legInt: left,
    special: [],
    vendors: allowed.size ? vendors : [],
    legIntVendors: left[0] ? legIntVendors : [],
  };
}

/** A decision by the framework: its string, and what it allows of the site's categories. */
export function sign(
  decision: Decision,
  allows: (key: string) => boolean,
): { tc: string; allows: (key: string) => boolean } | undefined {
  if (!asksByTcf()) return;
  const chosen = staged;
  staged = undefined;
  const choice =
    decision === 'accept_all'
      ? everything()
      : decision === 'reject_all'
        ? nothing()
        : (chosen ?? ofCategories(allows));
  const purposes = decision === 'save_preferences' && chosen ? new Set(chosen.purposes) : undefined;
  return {
    tc: encode(
      { ...choice, legIntVendors: [...choice.legIntVendors, ...idsOf(own.special_vendors)] },
      {
        at: Date.now(),
        cmpId: own.cmp_id,
        cmpVersion: own.cmp_version,
        language: language().slice(0, 2),
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
