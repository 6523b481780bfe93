import type { Texts } from './contract.js';
import { load } from './send.js';

const RIGHT_TO_LEFT = /^(ar|he|fa|ur)\b/;
const loaded: Record<string, Texts | undefined> = { ...config.texts };
let spoken = '';

/** The language that the banner speaks: the one of its texts that were last shown. */
export const language = (): string => spoken || wanted();

export const direction = (): string => (RIGHT_TO_LEFT.test(language()) ? 'rtl' : 'ltr');

/**
 * Texts for what is shown next. Without an answer of the server it is the language that the script itself
 * holds.
 */
export async function texts(): Promise<Texts> {
  spoken = wanted();
  // Requested once per page view: a visitor does not wait twice for a server that hangs.
  if (!(spoken in loaded)) loaded[spoken] = (await load(`texts/${spoken}`))?.texts;
  // A script may hold all languages, or the first alone.
  if (!loaded[spoken]) spoken = config.languages.find((one) => loaded[one]) as string;
  return loaded[spoken] as Texts;
}

/**
 * The page's language, else the browser's, else the site's default (BCP 47 lookup, by script and base
 * language as a last resort).
 */
function wanted(): string {
  for (const asked of [document.documentElement.lang, ...navigator.languages]) {
    for (const alike of [lower, written, base, nearest]) {
      const found = config.languages.find((one) => alike(one) === alike(asked));
      if (found) return found;
    }
  }
  return config.languages[0] as string;
}

const lower = (tag: string): string => tag.toLowerCase();
/** In one script: `zh-TW` is `zh-Hant`, and no `zh-Hans`. */
const written = (tag: string): string => {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // A page's `lang` is not always a valid tag.
    return tag;
  }
};
const base = (tag: string): string => lower(tag).split('-')[0] as string;
/** Bokmål, Nynorsk and Norwegian without a form are read by the same people. */
const nearest = (tag: string): string => base(tag).replace(/^n[on]$/, 'nb');
