import type { AskedVendor, Gpp } from '../contract.js';
import { gpc } from '../page.js';
import { asks, isSettled, place } from '../region.js';
import { asked } from '../vendors/asked.js';
import { encodeGpp, encodeSection, sectionOf, segmentsOf, US_SECTIONS } from './encode.js';
import { tcSegments } from './tc.js';

const own = config.gpp as Gpp;
const TCF = { id: 2, name: 'tcfeuv2' };

/** A section of the string. */
export interface Section {
  id: number;
  name: string;
  text: string;
  /** Its parts in the words of its specification. */
  segments: Record<string, unknown>[];
}

/** The sections that this bundle can have. */
export const supported = [
  ...(tcf ? [TCF] : []),
  ...(own?.sections === 'us_states' ? US_SECTIONS : US_SECTIONS.slice(0, 1)),
];

/**
 * The numbers of the sections that apply to this visitor. Who is nobody knows where may be in the United States: they are
 * asked first, and until they allow something the national section says that they have opted out.
 */
export function applicable(): number[] {
  const [country, state] = (place.region ?? 'US').split('-');
  return [
    ...(tcf && asks() ? [TCF.id] : []),
    ...(country === 'US' ? [sectionOf(own.sections === 'us_states' ? state : undefined)] : []),
  ];
}

/** 0 not applicable, 1 yes, 2 no. */
const flag = (is: boolean): number => (is ? 1 : 2);

type Allows = (key: string) => boolean;

/** Whether a category is allowed with each of its vendors: one that is refused is refused what the site does with it. */
export const wholly =
  (allows: Allows, allowsVendor: (vendor: AskedVendor) => boolean): Allows =>
  (key) =>
    allows(key) && !(byVendor && asked.some((one) => one.categories.includes(key) && !allowsVendor(one)));

/**
 * What a US section says while these categories are allowed. Whether notices are given only the owner knows; without them
 * nobody could opt out, and 1 is what a reader of this field alone takes for no permission.
 */
function usFields(allows: Allows): Record<string, number> {
  const { sale, sharing, targeted_advertising: targeted, mspa, notices } = own;
  const notice = (keys: string[] | null): number => (keys ? flag(!!notices) : 0);
  const optOut = (keys: string[] | null): number => (keys ? flag(!notices || !keys.every(allows)) : 0);
  const told = notice(sale ?? sharing ?? targeted);
  return {
    SharingNotice: told,
    ProcessingNotice: told,
    SaleOptOutNotice: notice(sale),
    SharingOptOutNotice: notice(sharing),
    TargetedAdvertisingOptOutNotice: notice(targeted),
    SaleOptOut: optOut(sale),
    SharingOptOut: optOut(sharing),
    TargetedAdvertisingOptOut: optOut(targeted),
    MspaCoveredTransaction: flag(!!mspa),
    MspaOptOutOptionMode: mspa ? flag(mspa === 'opt_out_option') : 0,
    MspaServiceProviderMode: mspa ? flag(mspa === 'service_provider') : 0,
  };
}

/** The sections of a visitor to whom these categories are allowed, by number; that of the TCF has its string, if there is one. */
export const sectionsFor = (allows: Allows, tc: string | undefined): Section[] =>
  applicable().flatMap((id) => {
    if (tcf && id === TCF.id) return tc ? [{ ...TCF, text: tc, segments: tcSegments(tc) }] : [];
    const segments = segmentsOf(id, usFields(allows), gpc());
    const { name } = US_SECTIONS.find((one) => one.id === id) as { name: string };
    return [{ id, name, text: encodeSection(segments), segments }];
  });

type Choices = Record<string, boolean>;

/** The string for a record of such a decision; nothing where no section applies, or nobody knows yet which one does. */
export function gppOf(
  categories: Choices,
  vendors: Choices | undefined,
  tc: string | undefined,
): { gpp_string?: string } {
  const allows: Allows = (key) => categories[key] === true;
  const ofVendor = (one: AskedVendor): boolean =>
    vendors ? vendors[one.id] === true : one.categories.every(allows);
  const sections = sectionsFor(wholly(allows, ofVendor), tc);
  return isSettled && sections[0] ? { gpp_string: encodeGpp(sections) } : {};
}
