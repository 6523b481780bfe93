import { tagsOf } from '../banner-languages';
import { defaultSettings } from '../settings';
import type { BannerTexts, BundleTexts, Category } from '../types';
import type { SeenSettings } from './config';
import type { BannerProgram } from './program';

/** What is spoken where nothing else is known. */
const FALLBACK = 'en';

/** The texts of one language, complete, and what of them nobody has written in that language. */
export interface ResolvedTexts {
  texts: BundleTexts;
  /** Names of texts that are in another language, such as `title` or `categories.maps`; none when all is well. */
  missing: string[];
}

/** Resolves every text of a language: the owner's over the built-in ones, `de-AT` over `de`, and English at last. */
export function textsIn(language: string, settings: SeenSettings, program: BannerProgram): ResolvedTexts {
  const tags = tagsOf(language);
  const builtIn = tags.map((tag) => program.texts[tag]).find((texts) => texts !== undefined);
  const own = tags.map((tag) => settings.banner.texts[tag]).filter((texts) => texts !== undefined);
  const base = builtIn ?? (program.texts[FALLBACK] as BundleTexts);
  const texts = structuredClone(base);
  const missing: string[] = [];
  for (const name of Object.keys(base) as (keyof BundleTexts)[]) {
    if (name === 'categories') continue;
    const written = own.map((one) => one[name]).find((text) => text !== undefined);
    if (written !== undefined) texts[name] = written;
    else if (builtIn === undefined) missing.push(name);
  }
  texts.categories = {};
  for (const category of settings.categories) {
    const found = categoryTexts(category, own, builtIn, tags.includes(settings.default_language));
    texts.categories[category.key] = found.texts;
    if (!found.written) missing.push(`categories.${category.key}`);
  }
  return { texts, missing };
}

/** A category's texts: the owner's for this language, the category's own where they are in this language, the built-in ones. */
function categoryTexts(
  category: Category,
  own: readonly BannerTexts[],
  builtIn: BundleTexts | undefined,
  isDefaultLanguage: boolean,
): { texts: { name: string; description: string }; written: boolean } {
  const { key, name, description } = category;
  const usual = builtIn?.categories[key];
  const touched = isTouched(category);
  const base = usual === undefined || (touched && isDefaultLanguage) ? { name, description } : usual;
  const texts = { ...base };
  let complete = true;
  for (const field of ['name', 'description'] as const) {
    const written = own.map((one) => one.categories?.[key]?.[field]).find((text) => text !== undefined);
    if (written !== undefined) texts[field] = written;
    else complete = false;
  }
  // The owner's own words are in the default language: elsewhere they, or the built-in ones in their place, say something else.
  return { texts, written: complete || (touched ? isDefaultLanguage : usual !== undefined) };
}

/** Whether a category says something else than a new site's category of that key. */
function isTouched({ key, name, description }: Category): boolean {
  const usual = USUAL.find((category) => category.key === key);
  return usual === undefined || usual.name !== name || usual.description !== description;
}

const USUAL = defaultSettings().categories;
