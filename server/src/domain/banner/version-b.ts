import type { FieldError } from '../errors';
import type {
  BannerTexts,
  BundleConfig,
  BundleLook,
  BundleOptions,
  FirstLayerTexts,
  Settings,
} from '../types';
import { canonicalJson } from './canonical';
import { darkColours } from './colours';
import { designOf } from './design';
import { contrastWarnings } from './warnings';

type Tested = Pick<Settings, 'banner' | 'banner_test'>;

/** The settings with which a site would show version B of its test to everybody. */
export function withVersionB<Some extends Tested>(settings: Some): Some {
  const { banner, banner_test: test } = settings;
  if (test == null) return settings;
  const { dark_colours: _, design: __, ...common } = banner;
  const { texts = {}, ...look } = test.banner;
  return {
    ...settings,
    banner: { ...common, ...look, texts: textsOfB(banner.texts, texts) },
    banner_test: null,
  };
}

function textsOfB(
  own: Readonly<Record<string, BannerTexts>>,
  other: Readonly<Record<string, FirstLayerTexts>>,
): Record<string, BannerTexts> {
  const languages = new Set([...Object.keys(own), ...Object.keys(other)]);
  return Object.fromEntries(
    [...languages].map((language) => [language, { ...own[language], ...other[language] }]),
  );
}

const BUTTONS = ['accept_all', 'reject_all'] as const;

/** Why these settings can have no such test; `check` finds what is wrong with settings, and version B is held to all of it. */
export function testFaults(settings: Settings, check: (settings: Settings) => FieldError[]): FieldError[] {
  const { banner, banner_test: test } = settings;
  if (test == null) return [];
  const wrong = (path: string, message: string): FieldError => ({
    path: `body.settings.banner_test${path}`,
    message,
    code: 'invalid',
  });
  const other = withVersionB(settings);
  const known = new Set(check({ ...settings, banner_test: null }).map(({ path }) => path));
  const faults = check(other)
    .filter(({ path }) => !known.has(path))
    .map((fault) => ({ ...fault, path: pathInB(fault.path) }));
  const missing = BUTTONS.filter((name) => !banner.first_layer_buttons.includes(name));
  if (missing.length > 0)
    faults.push(
      wrong(
        '',
        `needs ${missing.join(' and ')} in banner.first_layer_buttons: no test may find out what visitors do who cannot refuse as easily as accept`,
      ),
    );
  // Of valid ones only: a design that is refused makes no rules.
  const isValid = known.size === 0 && faults.length === 0;
  if (isValid && shownOf(other) === shownOf(settings))
    faults.push(wrong('.banner', 'is the same as banner: change something in it'));
  // A banner is only warned of this, and its score tells; a version that nobody can read must not win a test.
  for (const { path, message } of contrastWarnings(resolved(other.banner)))
    faults.push({ path: pathInB(`body.${path}`), message, code: 'contrast' });
  return faults;
}

/**
 * What visitors see of a banner who count in a test: values that are as by default, colours that its theme never shows, texts
 * of languages that the site does not have, and the text that IAB Europe's framework has a text of its own for make no
 * difference.
 */
function shownOf({ banner, tcf, languages, default_language }: Settings): string {
  const { dark_colours: _, design, texts: all, ...rest } = banner;
  const { theme, colours, dark_colours } = resolved(banner);
  const shown = new Set([default_language, ...languages]);
  const texts = Object.fromEntries(Object.entries(all).filter(([language]) => shown.has(language)));
  return canonicalJson({
    ...rest,
    colours: theme === 'dark' ? null : colours,
    dark: theme === 'light' ? null : dark_colours,
    design: designOf(design) ?? null,
    texts: tcf == null ? textsOfB(texts, {}) : withoutDescription(texts),
  });
}

const withoutDescription = (texts: Readonly<Record<string, BannerTexts>>): Record<string, BannerTexts> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([language, { description: _, ...rest }]) =>
      Object.keys(rest).length === 0 ? [] : [[language, rest]],
    ),
  );

const resolved = ({ theme, colours, dark_colours = darkColours(colours) }: Settings['banner']) => ({
  theme,
  colours,
  dark_colours,
});

/** Where a fault or warning of version B is in the settings. */
export const pathInB = (path: string): string =>
  path.replace(/^(body\.)?settings\.banner\b/, '$1settings.banner_test.banner');

/** Version B has its own place and theme, whatever is chosen for the bundle. */
export const optionsOfB = ({
  layout: _,
  position: __,
  theme: ___,
  ...options
}: BundleOptions): BundleOptions => options;

/** What the script changes to show `other` instead of `config`. */
export const lookOf = (config: BundleConfig, other: BundleConfig): BundleLook => ({
  layout: other.layout,
  position: other.position,
  theme: other.theme,
  colours: other.colours,
  dark_colours: other.dark_colours,
  design: other.design ?? null,
  texts: Object.fromEntries(
    Object.entries(other.texts).flatMap(([language, { title, description }]) => {
      const own = config.texts[language];
      const texts = {
        ...(title !== own?.title && { title }),
        ...(description !== own?.description && { description }),
      };
      return Object.keys(texts).length === 0 ? [] : [[language, texts]];
    }),
  ),
});
