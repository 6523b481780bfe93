import type { BundleRegions, RegionRule, RegionSettings } from '../types';
import { countryOf, isRegion, REGIONS } from './codes';
import { LAWS, LAWS_VERSION } from './laws';

/** From the strictest on. */
const LAXITY: Readonly<Record<RegionRule, number>> = { opt_in: 0, opt_out: 1, notice: 2 };

/** Whether a rule lets a site do more than another. */
export const isLaxer = (rule: RegionRule, than: RegionRule): boolean => LAXITY[rule] > LAXITY[than];

/** What holds where nothing is known. */
const STRICTEST: RegionRule = 'opt_in';

const byLaw = new Map(LAWS.flatMap(({ regions, rule }) => regions.map((region) => [region, rule] as const)));

/** What the law asks; the strictest where the region, or its law, is not known. */
export const lawfulRule = (region: string | undefined): RegionRule =>
  (region && (byLaw.get(region) ?? byLaw.get(countryOf(region)))) || STRICTEST;

type Overrides = RegionSettings['overrides'];

/** What a site does: the owner's word for a state comes before that for its country, and both before the law. */
function siteRule(overrides: Overrides, region: string): RegionRule {
  const said = (code: string): RegionRule | undefined =>
    overrides?.find((override) => override.region === code)?.rule;
  return said(region) ?? said(countryOf(region)) ?? lawfulRule(region);
}

/** The rules of a site, by rule: what a bundle holds and its hash covers. Undefined where every visitor is asked. */
export function regionsOf(settings: RegionSettings | null | undefined): BundleRegions | undefined {
  if (settings == null) return undefined;
  const lists: Record<RegionRule, string[]> = { opt_in: [], opt_out: [], notice: [] };
  for (const region of REGIONS) {
    const rule = siteRule(settings.overrides, region);
    const country = countryOf(region);
    // What its country says already, or everywhere holds, is not said again.
    const known = region === country ? STRICTEST : siteRule(settings.overrides, country);
    if (rule !== known) lists[rule].push(region);
  }
  return { laws: LAWS_VERSION, ...lists };
}

/** The rule for a visitor; the strictest where the region is not known. */
export function ruleIn(
  { opt_in, opt_out, notice }: BundleRegions,
  region: string | null | undefined,
): RegionRule {
  if (region == null) return STRICTEST;
  for (const code of [region, countryOf(region)]) {
    if (opt_in.includes(code)) return 'opt_in';
    if (opt_out.includes(code)) return 'opt_out';
    if (notice.includes(code)) return 'notice';
  }
  return STRICTEST;
}

/** The rule of a site or bundle for a visitor; the strictest where there are no rules by region. */
export const dueRule = (rules: BundleRegions | undefined, region: string | null | undefined): RegionRule =>
  rules === undefined ? STRICTEST : ruleIn(rules, region);

/** The regions for which rules are laxer than the law that is known here, or than asking where none is. */
export const laxRegions = (rules: BundleRegions): string[] =>
  REGIONS.filter((region) => isLaxer(ruleIn(rules, region), lawfulRule(region)));

/** What is wrong with a site's rules: the place in `overrides`, and why. */
export function regionFaults({ overrides = [] }: RegionSettings): { index: number; message: string }[] {
  return overrides.flatMap(({ region }, index) => {
    if (!isRegion(region))
      return [
        {
          index,
          message: `${region} is no region that rules can be for: give a country such as DE, or a state or province of US or CA such as US-CA`,
        },
      ];
    if (overrides.findIndex((other) => other.region === region) < index)
      return [{ index, message: `the region ${region} is listed twice: give each region once` }];
    return [];
  });
}
