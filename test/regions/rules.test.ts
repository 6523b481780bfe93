import { isRegion, REGIONS } from '../../server/src/domain/regions/codes';
import { LAWS, LAWS_VERSION } from '../../server/src/domain/regions/laws';
import { lawfulRule, laxRegions, regionsOf, ruleIn } from '../../server/src/domain/regions/rules';
import type { BundleRegions, RegionSettings } from '../../server/src/domain/types';

const made = (overrides?: RegionSettings['overrides']): BundleRegions =>
  regionsOf({ rules: 'law', ...(overrides && { overrides }) }) as BundleRegions;

test('every law names its sections, an official source and the day it holds from, and each region has one', () => {
  const regions = LAWS.flatMap((law) => law.regions);
  expect(regions.filter((region) => !isRegion(region))).toEqual([]);
  expect(new Set(regions).size).toBe(regions.length);
  for (const { law, citation, source, in_force, rule } of LAWS) {
    expect([law, citation].every((text) => text.length > 3 && text.length <= 500)).toBe(true);
    expect(new URL(source).protocol).toBe('https:');
    expect(in_force <= LAWS_VERSION && /^\d{4}-\d\d-\d\d$/.test(in_force)).toBe(true);
    // The laws that name a signal give a right to object.
    if (LAWS.some((one) => one.law === law && one.universal_opt_out)) expect(rule).toBe('opt_out');
  }
});

test('the Union, the Economic Area, the United Kingdom and Switzerland are asked; all states have a rule', () => {
  const asked =
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO GB CH BR'
      .split(' ')
      .map((region) => lawfulRule(region));
  expect(new Set(asked)).toEqual(new Set(['opt_in']));
  const states = REGIONS.filter((region) => region.startsWith('US-'));
  expect(states).toHaveLength(51);
  expect(states.filter((region) => lawfulRule(region) === 'opt_in')).toEqual([]);
  // The strictest of its states: nobody is told less than where they are.
  expect(lawfulRule('US')).toBe('opt_out');
  expect([lawfulRule('CA-QC'), lawfulRule('CA-ON'), lawfulRule('CA')]).toEqual([
    'opt_in',
    'opt_out',
    'opt_in',
  ]);
  expect([lawfulRule(undefined), lawfulRule('ZW'), lawfulRule('CA-AB')]).toEqual([
    'opt_in',
    'opt_in',
    'opt_in',
  ]);
});

test('a bundle has lists that give each region the rule of the settings, and say nothing twice', () => {
  const overrides = [
    { region: 'US', rule: 'opt_in' },
    { region: 'US-NY', rule: 'notice' },
    { region: 'IN', rule: 'opt_out' },
    { region: 'CA-ON', rule: 'opt_in' },
  ] as const;
  for (const rules of [made(), made([...overrides])]) {
    const listed = [...rules.opt_in, ...rules.opt_out, ...rules.notice];
    expect(new Set(listed).size).toBe(listed.length);
    expect(rules.opt_in).toEqual([]);
  }
  expect(REGIONS.filter((region) => ruleIn(made(), region) !== lawfulRule(region))).toEqual([]);
  const own = made([...overrides]);
  expect(['US', 'US-CA', 'US-NY', 'IN', 'CA-ON', 'CA-SK'].map((region) => ruleIn(own, region))).toEqual([
    ...['opt_in', 'opt_in', 'notice', 'opt_out', 'opt_in', 'opt_out'],
  ]);
  const stricter = made([{ region: 'US-CA', rule: 'opt_in' }]);
  expect([stricter.opt_in, ruleIn(stricter, 'US-CA'), ruleIn(stricter, 'US')]).toEqual([
    ['US-CA'],
    'opt_in',
    'opt_out',
  ]);
  expect(ruleIn(own, null)).toBe('opt_in');
  expect(regionsOf(null)).toBeUndefined();
  expect(regionsOf(undefined)).toBeUndefined();
});

test('rules are lax where they let a site do more than the law that is known, for a state too', () => {
  expect(laxRegions(made())).toEqual([]);
  expect(laxRegions(made([{ region: 'US-NY', rule: 'opt_in' }]))).toEqual([]);
  expect(laxRegions(made([{ region: 'DE', rule: 'notice' }]))).toEqual(['DE']);
  expect(laxRegions(made([{ region: 'ZW', rule: 'opt_out' }]))).toEqual(['ZW']);
  const all = laxRegions(made([{ region: 'US', rule: 'notice' }]));
  expect(all).toContain('US-CA');
  expect(all).not.toContain('US-WY');
});
