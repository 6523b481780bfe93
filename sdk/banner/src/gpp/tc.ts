import type { Tcf } from '../contract.js';
import { decode, disclosedIn } from '../tcf/decode.js';
import { idsOf } from '../tcf/ids.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A TC string that this banner has made, in the words of GPP's section `tcfeuv2`. */
export function tcSegments(tc: string): Record<string, unknown>[] {
  const own = config.tcf as Tcf;
  const bits = [...tc.slice(0, 24)].map((one) => ALPHABET.indexOf(one).toString(2).padStart(6, '0')).join('');
  const number = (from: number, to: number): number => Number.parseInt(bits.slice(from, to), 2);
  const letter = (from: number): string => String.fromCharCode(65 + number(from, from + 6));
  const choice = decode(tc);
  const core = {
    Version: 2,
    Created: new Date(number(6, 42) * 100),
    LastUpdated: new Date(number(42, 78) * 100),
    CmpId: number(78, 90),
    CmpVersion: number(90, 102),
    ConsentScreen: number(102, 108),
    ConsentLanguage: letter(108) + letter(114),
    VendorListVersion: number(120, 132),
    TcfPolicyVersion: number(132, 138),
    IsServiceSpecific: true,
    UseNonStandardTexts: false,
    SpecialFeatureOptIns: choice.special,
    PurposeConsent: choice.purposes,
    PurposesLITransparency: choice.legInt,
    PurposeOneTreatment: own.purpose_one_treatment,
    PublisherCC: own.publisher_country,
    VendorConsent: choice.vendors,
    VendorLegitimateInterest: choice.legIntVendors,
    PubRestrictions: own.restrictions.map(({ purpose, type, vendors }) => ({
      key: purpose,
      type,
      ids: idsOf(vendors),
    })),
  };
  return [core, { SegmentType: 1, DisclosedVendors: disclosedIn(tc) }];
}
