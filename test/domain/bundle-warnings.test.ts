import { defaultSettings } from '../../server/src/domain/settings';
import type { Banner, BundleOptions, Settings } from '../../server/src/domain/types';
import { bundleWarning } from '../../server/src/domain/warnings';
import { makeBundle, PROGRAM } from '../helpers/banner/program';

const GOOD = { privacy_policy_url: 'https://shop.example.com/privacy' };
const warn = (settings: Partial<Settings>, banner: Partial<Banner> = {}, options: BundleOptions = {}) =>
  makeBundle(
    {
      token: 'env_0123456789012345678901',
      server: 'https://consent.example.com',
      settings: {
        ...defaultSettings(),
        ...GOOD,
        ...settings,
        banner: { ...defaultSettings().banner, ...banner },
      },
      settingsVersion: 1,
      options,
      vendors: [],
      scanned: [],
      domains: [],
    },
    PROGRAM,
  ).warnings;
const codes = (...input: Parameters<typeof warn>) => warn(...input).map(({ code, path }) => [code, path]);

test('a usual site with a privacy policy has nothing to fix', () => {
  expect(warn({})).toEqual([]);
});

test('no privacy policy and no button to refuse with are named', () => {
  expect(codes({ privacy_policy_url: null }, { first_layer_buttons: ['accept_all', 'settings'] })).toEqual([
    ['no_reject_button', 'settings.banner.first_layer_buttons'],
    ['no_policy_url', 'settings.privacy_policy_url'],
  ]);
  expect(codes({}, { first_layer_buttons: ['settings'] })).toEqual([]);
});

// The pair on either side of 4.5:1 on white: #767676 has 4.54, #777777 has 4.48.
test.each([
  ['#767676', []],
  ['#777777', [['contrast', 'settings.banner.colours.text']]],
])('text %s on white: %j', (text, expected) => {
  const colours = { ...defaultSettings().banner.colours, text };
  expect(codes({}, { colours, theme: 'light' })).toEqual(expected);
});

test('colours are judged where they are shown: dark ones not in a light theme, light ones not in a dark one', () => {
  const pale = {
    background: '#ffffff',
    text: '#eeeeee',
    button_background: '#dddddd',
    button_text: '#ffffff',
  };
  const both = { colours: pale, dark_colours: pale };
  const light = ['text', 'button_text'].map((name) => ['contrast', `settings.banner.colours.${name}`]);
  const dark = ['text', 'button_text'].map((name) => ['contrast', `settings.banner.dark_colours.${name}`]);
  expect(codes({}, { ...both, theme: 'light' })).toEqual(light);
  expect(codes({}, { ...both, theme: 'dark' })).toEqual(dark);
  expect(codes({}, { ...both, theme: 'auto' })).toEqual([...light, ...dark]);
  expect(codes({}, { ...both, theme: 'light' }, { theme: 'dark' })).toEqual(dark);
});

test('a language without texts is named, with what is missing', () => {
  const [warning, ...others] = warn({ languages: ['en', 'ga'] });
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: 'missing_texts', path: 'settings.banner.texts.ga' });
  expect(warning?.message).toMatch(/title, description.* and \d+ more/);
});

test('a script that weighs more than 12 KiB compressed is named, with what makes it heavy', () => {
  const noise = (seed: number) =>
    Array.from({ length: 4000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + ((i * 7919 + seed * 104729) % 20000)),
    ).join('');
  const texts = Object.fromEntries(['en', 'de', 'fr'].map((tag, i) => [tag, { description: noise(i) }]));
  const settings = { languages: ['en', 'de', 'fr'] };
  expect(codes(settings, { texts }, { texts: 'all' })).toEqual([['too_large', 'texts']]);
  expect(
    codes(settings, { texts: { en: { description: noise(1), settings_description: noise(2) } } }),
  ).toEqual([['too_large', 'settings.banner.texts']]);
});

describe('an outdated bundle', () => {
  const at = (day: number): Date => new Date(Date.UTC(2026, 10, day));
  const state = (changed: Partial<Parameters<typeof bundleWarning>[0]> = {}) =>
    bundleWarning({
      published_at: at(1),
      settingsChangedAt: undefined,
      vendors: { made: 1, now: 1, changed_at: at(1) },
      sameProgram: true,
      sameServer: true,
      ...changed,
    });

  test('is none while nothing has changed', () => expect(state()).toBeUndefined());

  test('is told since the settings were changed', () => {
    expect(state({ settingsChangedAt: at(9) })).toEqual({
      code: 'bundle_outdated',
      severity: 'warning',
      message: 'Visitors get an older banner, since the settings were changed: generate the bundle again.',
      subject_id: null,
      since: at(9).toISOString(),
    });
  });

  test('names every reason', () => {
    const vendors = { made: 1, now: 2, changed_at: at(5) };
    expect(state({ vendors })).toMatchObject({ since: at(5).toISOString() });
    expect(state({ vendors, sameProgram: false, sameServer: false })?.message).toMatch(
      /vendors were replaced and .*address.* and .*upgraded/,
    );
  });
});
