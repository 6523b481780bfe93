import type { ConsentMethod, Decision, Tcf } from '../contract.js';
import type { Memory } from '../memory.js';
import { asks } from '../region.js';
import { wasShown } from './cmp.js';
import { decode, disclosedIn } from './decode.js';
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
export const startOf = (memory: Memory | null): TcChoice =>
  memory?.tc ? decode(memory.tc) : objectionsOf(memory);

/**
 * By categories, as the page's calls name them: every purpose of one that is allowed now and was not, none of one that is
 * refused now. The rest stays as the visitor has decided, vendors and objections, too: those hold longer than a consent.
 */
function ofCategories(
  allows: (key: string) => boolean,
  inForce: Memory | null,
  earlier: Memory | null,
): TcChoice {
  const before = inForce?.tc ? decode(inForce.tc) : undefined;
  const base = before ?? objectionsOf(earlier);
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
  const last = before ?? (earlier?.tc ? decode(earlier.tc) : undefined);
  const known = last?.purposes.length ? vendors.filter((id) => last.vendors.includes(id)) : vendors;
  return {
    purposes,
    legInt,
    special: own.special_features.filter((id) => base.special.includes(id)),
    vendors: purposes.length ? known : [],
    legIntVendors: legInt.length ? legIntVendors.filter((id) => base.legIntVendors.includes(id)) : [],
  };
}

/** What is left of a choice that is not in force any more: no consent, and each objection. */
function objectionsOf(earlier: Memory | null): TcChoice {
  if (earlier?.tc) return { ...decode(earlier.tc), purposes: [], special: [], vendors: [] };
  // Where a cookie had no place for the string, the visitor may have objected to anything; not where they accepted all.
  return earlier?.decision === 'reject_all' || (earlier?.tc === '' && earlier.decision !== 'accept_all')
    ? nothing()
    : untouched();
}

/** The button on blocked content names its category alone: the string says what it said before, as far as that is asked. */
function unchanged(inForce: Memory | null, earlier: Memory | null): TcChoice {
  const all = everything();
  // Before the first decision it says nothing.
  const base = inForce?.tc ? decode(inForce.tc) : earlier ? objectionsOf(earlier) : nothing();
  const kept = (name: keyof TcChoice): number[] => all[name].filter((id) => base[name].includes(id));
  const [purposes, legInt] = [kept('purposes'), kept('legInt')];
  return {
    purposes,
    legInt,
    special: kept('special'),
    vendors: kept('vendors'),
    legIntVendors: legInt.length ? kept('legIntVendors') : [],
  };
}

/** Whom the visitor was shown: everybody by a layer on this page, else whom the string in force names, of those still there. */
function disclosedNow(inForce: Memory | null): number[] {
  const all = idsOf(own.vendors);
  if (wasShown) return all;
  const before = new Set(inForce?.tc ? disclosedIn(inForce.tc) : []);
  return all.filter((id) => before.has(id));
}

/** A decision by the framework: its string, and what it allows of the site's categories. */
export function sign(
  decision: Decision,
  method: ConsentMethod,
  allows: (key: string) => boolean,
  inForce: Memory | null,
  earlier: Memory | null,
  language: string,
): { tc: string; allows: (key: string) => boolean } | undefined {
  if (!asksByTcf()) return;
  const chosen = staged;
  staged = undefined;
  const choice =
    decision === 'accept_all'
      ? everything()
      : decision === 'reject_all'
        ? nothing()
        : method === 'placeholder'
          ? unchanged(inForce, earlier)
          : (chosen ?? ofCategories(allows, inForce, earlier));
  const purposes = decision === 'save_preferences' && chosen ? new Set(chosen.purposes) : undefined;
  const disclosed = disclosedNow(inForce);
  // Who was not shown has nothing.
  const shown = (ids: number[]): number[] => ids.filter((id) => disclosed.includes(id));
  return {
    tc: encode(
      {
        ...choice,
        vendors: shown(choice.vendors),
        legIntVendors: shown([...choice.legIntVendors, ...idsOf(own.special_vendors)]),
      },
      {
        at: Date.now(),
        cmpId: own.cmp_id,
        cmpVersion: own.cmp_version,
        // A language of three letters has no place in it.
        language: /^[a-z]{2}(?![a-z])/.exec(language)?.[0] ?? 'en',
        screen: chosen ? 2 : 1,
        listVersion: own.vendor_list_version,
        policyVersion: own.policy_version,
        purposeOneTreatment: own.purpose_one_treatment,
        country: own.publisher_country,
        restrictions: own.restrictions.map((one) => ({ ...one, vendors: idsOf(one.vendors) })),
        disclosed,
      },
    ),
    // Also by its own switch, which the settings have where it was allowed without its purposes.
    allows: (key) => allows(key) || (!!purposes && !!own.categories[key]?.every((id) => purposes.has(id))),
  };
}
