import type { Texts } from './contract.js';
import { doc } from './document.js';
import { asks, place } from './region.js';
import { load } from './send.js';

const RIGHT_TO_LEFT = /^(ar|he|fa|ur)\b/;
const loaded: Record<string, Texts | undefined> = { __proto__: null, ...config.texts } as never;
let current = '';

/** The banner's language: that of the texts that were last shown. */
export const language = (): string => current || wanted();

export const direction = (): string => (RIGHT_TO_LEFT.test(language()) ? 'rtl' : 'ltr');

/**
 * The texts to show next, in the language of what is open, because the visitor's answer is to what they read. If the
 * server does not answer, they are in a language that the script itself holds.
 */
export async function texts(isOpen?: unknown): Promise<Texts> {
  if (!isOpen) current = wanted();
  // Requested once per page view, so that a visitor does not wait twice for a server that hangs.
  if (!(current in loaded)) loaded[current] = await load<Texts>('texts', `texts/${current}`);
  // A script holds either all languages or only the first.
  if (!loaded[current]) current = config.languages.find((one) => loaded[one]) as string;
  const found = loaded[current] as Texts;
  return regional ? byRule(found) : found;
}

/** The texts for visitors who are not asked; under `opt_out` whatever refuses has the name that laws give it. */
function byRule(text: Texts): Texts {
  if (asks()) return text;
  const { notice_title, notice_description, notice_settings, do_not_sell } = text;
  const said = {
    title: notice_title,
    description: notice_description,
    settings_description: notice_settings,
  };
  const refusing = place.rule === 'opt_out' && { reopen: do_not_sell, reject_all: do_not_sell };
  return Object.assign({}, text, said, refusing);
}

/**
 * The page's language, or the browser's, or the site's default (BCP 47 lookup; then by script, and last by
 * base language).
 */
function wanted(): string {
  for (const tag of [doc.documentElement.lang, ...navigator.languages]) {
    for (const form of [lower, withScript, base, nearest]) {
      const found = config.languages.find((one) => form(one) === form(tag));
      if (found) return found;
    }
  }
  return config.languages[0] as string;
}

const lower = (tag: string): string => tag.toLowerCase();
/** Language and script: `zh-TW` is `zh-Hant`, not `zh-Hans`. */
const withScript = (tag: string): string => {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // A page's `lang` is not always a valid tag.
    return tag;
  }
};
const base = (tag: string): string => lower(tag).split('-')[0] as string;
/** Bokmål (`nb`), Nynorsk (`nn`) and Norwegian (`no`) are read by the same people. */
const nearest = (tag: string): string => base(tag).replace(/^n[on]$/, 'nb');
