import bg from './pack-words/bg.json';
import cs from './pack-words/cs.json';
import da from './pack-words/da.json';
import de from './pack-words/de.json';
import el from './pack-words/el.json';
import en from './pack-words/en.json';
import es from './pack-words/es.json';
import fi from './pack-words/fi.json';
import fr from './pack-words/fr.json';
import hr from './pack-words/hr.json';
import hu from './pack-words/hu.json';
import it from './pack-words/it.json';
import nb from './pack-words/nb.json';
import nl from './pack-words/nl.json';
import pl from './pack-words/pl.json';
import pt from './pack-words/pt.json';
import ro from './pack-words/ro.json';
import sk from './pack-words/sk.json';
import sl from './pack-words/sl.json';
import sv from './pack-words/sv.json';

/** The words of the page in a pack. */
export type PackWords = typeof en & { lang: string };

const WORDS: Record<string, typeof en> = {
  ...{ bg, cs, da, de, el, en, es, fi, fr, hr },
  ...{ hu, it, nb, nl, pl, pt, ro, sk, sl, sv },
  // Norwegian sites name any of the three.
  ...{ nn: nb, no: nb },
};

/** The languages that have words of their own, by the first part of a tag. */
export const PACK_LANGUAGES: readonly string[] = Object.keys(WORDS);

/** In the language of a site; English where there is no translation. */
export function packWords(language: string): PackWords {
  const [main = ''] = language.toLowerCase().split('-');
  const words = Object.hasOwn(WORDS, main) ? WORDS[main] : undefined;
  return { lang: words === undefined ? 'en' : words === nb ? 'nb' : main, ...(words ?? en) };
}

/** A sentence with its gaps filled. */
export const filled = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/{(\w+)}/g, (gap, name: string) => values[name] ?? gap);
