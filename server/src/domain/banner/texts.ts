import { own } from '../own';
import { defaultSettings } from '../settings';
import { type TcfParts, type TcfSource, textsFor } from '../tcf/bundle';
import type { BannerTexts, BundleTexts, Category } from '../types';
import { tagsOf } from './languages';
import { type BannerProgram, REGION_TEXTS, type SeenSettings, TCF_TEXTS, VENDOR_TEXTS } from './sources';

/** The language used when no other is known. */
const FALLBACK = 'en';

/** The texts of one language, complete, and the names of those that are missing in that language. */
export interface ResolvedTexts {
  texts: BundleTexts;
  /**
   * Names of texts that are in another language, such as `title` or `categories.maps`; empty when complete.
   */
  missing: string[];
}

/**
 * Resolves every text of a language: the owner's before the built-in ones, `de-AT` before `de`, English last.
 */
export function textsIn(
  language: string,
  settings: SeenSettings,
  program: BannerProgram,
  tcf?: TcfSource & TcfParts,
): ResolvedTexts {
  const tags = tagsOf(language);
  const builtIn = tags.map((tag) => own(program.texts, tag)).find((texts) => texts !== undefined);
  const written = tags.map((tag) => own(settings.banner.texts, tag));
  const ownTexts = written.filter((texts) => texts !== undefined);
  const base = builtIn ?? (program.texts[FALLBACK] as BundleTexts);
  const texts = structuredClone(base);
  const missing: string[] = [];
  for (const name of Object.keys(base) as (keyof BundleTexts)[]) {
    if (name === 'categories' || name === 'tcf') continue;
    if (
      (settings.regions == null && isIn(REGION_TEXTS, name)) ||
      (settings.tcf == null && isIn(TCF_TEXTS, name)) ||
      (settings.choice_by_vendor !== true && isIn(VENDOR_TEXTS, name))
    ) {
      delete texts[name];
      continue;
    }
    const text = ownTexts.map((one) => one[name]).find((one) => one !== undefined);
    if (text !== undefined) texts[name] = text;
    else if (builtIn === undefined) missing.push(name);
  }
  if (tcf !== undefined) {
    const found = textsFor(tcf, tags, tcf);
    texts.tcf = found.texts;
    if (!found.written) missing.push('tcf');
  }
  texts.categories = {};
  for (const category of settings.categories) {
    const found = categoryTexts(category, ownTexts, builtIn, tags.includes(settings.default_language));
    texts.categories[category.key] = found.texts;
    if (!found.written) missing.push(`categories.${category.key}`);
  }
  return { texts, missing };
}

type OptionalText = (typeof REGION_TEXTS | typeof TCF_TEXTS | typeof VENDOR_TEXTS)[number];

const isIn = (names: readonly OptionalText[], name: string): name is OptionalText =>
  (names as readonly string[]).includes(name);

/**
 * A category's texts: the owner's for this language, then the category's own if they are in this language,
 * then the built-in ones.
 */
function categoryTexts(
  category: Category,
  ownTexts: readonly BannerTexts[],
  builtIn: BundleTexts | undefined,
  isDefaultLanguage: boolean,
): { texts: { name: string; description: string }; written: boolean } {
  const { key, name, description } = category;
  const usual = own(builtIn?.categories, key);
  const touched = isTouched(category);
  const base = usual === undefined || (touched && isDefaultLanguage) ? { name, description } : usual;
  const texts = { ...base };
  let complete = true;
  for (const field of ['name', 'description'] as const) {
    const written = ownTexts
      .map((one) => own(one.categories, key)?.[field])
      .find((text) => text !== undefined);
    if (written !== undefined) texts[field] = written;
    else complete = false;
  }
  // The category's own texts are in the default language. In another language neither they nor the built-in
  // texts are a translation.
  return { texts, written: complete || (touched ? isDefaultLanguage : usual !== undefined) };
}

/** Whether a category says something else than a new site's category of that key. */
function isTouched({ key, name, description }: Category): boolean {
  const usual = USUAL.find((category) => category.key === key);
  return usual === undefined || usual.name !== name || usual.description !== description;
}

const USUAL = defaultSettings().categories;
