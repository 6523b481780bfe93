import { number, text } from '../bits.js';

/** What a part of a section says, by the names of the specification and in its order. */
export type Segment = Record<string, number | boolean | number[]>;

const OPT_OUT_NOTICES = 'SaleOptOutNotice TargetedAdvertisingOptOutNotice';
const OPT_OUTS = 'SaleOptOut TargetedAdvertisingOptOut';
const MSPA = 'MspaCoveredTransaction MspaOptOutOptionMode MspaServiceProviderMode';
const SENSITIVE = 'SensitiveDataProcessing';
const CHILDREN = 'KnownChildSensitiveDataConsents';

/** The usual fields of a state; `sensitive` and `children` say how many kinds it tells apart. */
const state = (notice: string, sensitive: number, children: number, more = ''): string =>
  `${notice} ${OPT_OUT_NOTICES} ${OPT_OUTS} ${SENSITIVE}:${sensitive} ${CHILDREN}:${children} ${more}${MSPA}`;
const SHARING = 'SharingNotice';
const PROCESSING = 'ProcessingNotice';
const ADDITIONAL = 'AdditionalDataProcessingConsent ';

type Layout = [name: string, fields: string, version?: number];

/**
 * Sections by their numbers, from 7 on, which are those of the IAB Tech Lab (Global Privacy Platform, Section Information),
 * with the fields of each: `:n` for a list, `:1` for none. What is `+` has a part for Global Privacy Control. Maryland,
 * Indiana, Kentucky and Rhode Island have none that is published for use: theirs are drafts for comment of October 2025,
 * which the IAB's own library writes in another way.
 */
const LAYOUTS: Layout[] = [
  [
    'usnat+',
    `${SHARING} SaleOptOutNotice SharingOptOutNotice TargetedAdvertisingOptOutNotice SensitiveDataProcessingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut TargetedAdvertisingOptOut ${SENSITIVE}:16 ${CHILDREN}:3 PersonalDataConsents ${MSPA}`,
    2,
  ],
  [
    'usca+',
    `SaleOptOutNotice SharingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut ${SENSITIVE}:9 ${CHILDREN}:2 PersonalDataConsents ${MSPA}`,
  ],
  ['usva', state(SHARING, 8, 1)],
  ['usco+', state(SHARING, 7, 1)],
  [
    'usut',
    `${SHARING} ${OPT_OUT_NOTICES} SensitiveDataProcessingOptOutNotice ${OPT_OUTS} ${SENSITIVE}:8 ${CHILDREN} ${MSPA}`,
  ],
  ['usct+', state(SHARING, 8, 3)],
  ['usfl', state(PROCESSING, 8, 3, ADDITIONAL)],
  ['usmt+', state(SHARING, 8, 3, ADDITIONAL)],
  ['usor+', state(PROCESSING, 11, 3, ADDITIONAL)],
  ['ustx+', state(PROCESSING, 8, 1, ADDITIONAL)],
  ['usde+', state(PROCESSING, 9, 5, ADDITIONAL)],
  [
    'usia+',
    `${PROCESSING} ${OPT_OUT_NOTICES} SensitiveDataOptOutNotice ${OPT_OUTS} ${SENSITIVE}:8 ${CHILDREN} ${MSPA}`,
  ],
  ['usne+', state(PROCESSING, 8, 1, ADDITIONAL)],
  ['usnh+', state(PROCESSING, 8, 3, ADDITIONAL)],
  ['usnj+', state(PROCESSING, 10, 5, ADDITIONAL)],
  ['ustn+', state(PROCESSING, 8, 1, ADDITIONAL)],
  ['usmn+', state(PROCESSING, 8, 1, ADDITIONAL)],
];

/** The number of the national section. */
const NATIONAL = 7;

/** The US sections, from the national one on. */
export const US_SECTIONS = LAYOUTS.map(([name], index) => ({
  id: NATIONAL + index,
  name: name.replace('+', ''),
}));

/** The number of a state's section, such as of `CA`; the national one where it has none, or the state is not known. */
export const sectionOf = (code?: string): number =>
  US_SECTIONS.find(({ name }) => name === `us${code?.toLowerCase()}`)?.id ?? NATIONAL;

/** What a section says: the given fields as far as it has them, and 0, which is "not applicable", of all others. */
export function segmentsOf(id: number, said: Record<string, number>, gpc: boolean): Segment[] {
  const [name, fields, version = 1] = LAYOUTS[id - NATIONAL] as Layout;
  const core: Segment = { Version: version };
  for (const field of fields.split(' ')) {
    const [key = '', count = 1] = field.split(':');
    core[key] = +count > 1 ? new Array<number>(+count).fill(0) : (said[key] ?? 0);
  }
  return name.endsWith('+') ? [core, { SubsectionType: 1, Gpc: gpc }] : [core];
}

const bitsOf = ([key, value]: [string, Segment[string]]): string =>
  Array.isArray(value)
    ? value.map((one) => number(one, 2)).join('')
    : number(+value, key === 'Version' ? 6 : value === !!value ? 1 : 2);

/** A section as text. */
export const encodeSection = (segments: Segment[]): string =>
  segments.map((one) => text(Object.entries(one).map(bitsOf).join(''))).join('.');

/** A sum of Fibonacci numbers, no two of them neighbours, ended by a second 1. */
function fibonacci(value: number): string {
  const numbers = [1, 2];
  for (let next = 3; next <= value; next += numbers[numbers.length - 2] as number) numbers.push(next);
  let [rest, bits, begun] = [value, '1', false];
  for (const one of numbers.reverse()) {
    if (one > rest && !begun) continue;
    begun = true;
    bits = (one > rest ? '0' : '1') + bits;
    if (one <= rest) rest -= one;
  }
  return bits;
}

/**
 * A GPP string of version 1: the header, then each section (IAB Tech Lab, Consent String Specification). Numbers are in
 * ascending order; no two of ours are neighbours, so that each is a range of its own.
 */
export function encodeGpp(sections: readonly { id: number; text: string }[]): string {
  const ranges = sections.map(({ id }, index) => `0${fibonacci(id - (sections[index - 1]?.id ?? 0))}`);
  const header = number(3, 6) + number(1, 6) + number(ranges.length, 12) + ranges.join('');
  return [text(header), ...sections.map((one) => one.text)].join('~');
}
