import { isRightToLeft, nearestTag } from '../banner/languages';
import ar from './pack-words/ar.json';
import bg from './pack-words/bg.json';
import cs from './pack-words/cs.json';
import da from './pack-words/da.json';
import de from './pack-words/de.json';
import el from './pack-words/el.json';
import en from './pack-words/en.json';
import es from './pack-words/es.json';
import et from './pack-words/et.json';
import fi from './pack-words/fi.json';
import fr from './pack-words/fr.json';
import ga from './pack-words/ga.json';
import he from './pack-words/he.json';
import hr from './pack-words/hr.json';
import hu from './pack-words/hu.json';
import is from './pack-words/is.json';
import it from './pack-words/it.json';
import ja from './pack-words/ja.json';
import ko from './pack-words/ko.json';
import lt from './pack-words/lt.json';
import lv from './pack-words/lv.json';
import mt from './pack-words/mt.json';
import nb from './pack-words/nb.json';
import nl from './pack-words/nl.json';
import pl from './pack-words/pl.json';
import pt from './pack-words/pt.json';
import ptBR from './pack-words/pt-BR.json';
import ro from './pack-words/ro.json';
import sk from './pack-words/sk.json';
import sl from './pack-words/sl.json';
import sv from './pack-words/sv.json';
import tr from './pack-words/tr.json';
import uk from './pack-words/uk.json';
import zh from './pack-words/zh.json';
import zhHant from './pack-words/zh-Hant.json';

/** The words of the page in a pack. */
export type PackWords = typeof en & { lang: string; rtl: boolean };

/** By language (BCP 47): those of the banner. A word that is missing does not compile. */
const WORDS: Readonly<Record<string, typeof en>> = {
  ...{ ar, bg, cs, da, de, el, en, es, et, fi, fr },
  ...{ ga, he, hr, hu, is, it, ja, ko, lt, lv, mt },
  ...{ nb, nl, pl, pt, ro, sk, sl, sv, tr, uk, zh },
  ...{ 'pt-BR': ptBR, 'zh-Hant': zhHant },
};

/** The languages that have words of their own. */
export const PACK_LANGUAGES: readonly string[] = Object.keys(WORDS);

/** In the language of a site, or the nearest one that has words; English otherwise. */
export function packWords(language: string): PackWords {
  const lang = nearestTag(language, WORDS);
  return { ...(WORDS[lang] as typeof en), lang, rtl: isRightToLeft(lang) };
}

/** A sentence with its gaps filled. */
export const filled = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/{(\w+)}/g, (gap, name: string) => values[name] ?? gap);
