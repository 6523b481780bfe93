import { isRightToLeft, nearestTag } from '../banner/languages';
import ar from './texts/ar.json';
import bg from './texts/bg.json';
import cs from './texts/cs.json';
import da from './texts/da.json';
import de from './texts/de.json';
import el from './texts/el.json';
import en from './texts/en.json';
import es from './texts/es.json';
import et from './texts/et.json';
import fi from './texts/fi.json';
import fr from './texts/fr.json';
import ga from './texts/ga.json';
import he from './texts/he.json';
import hr from './texts/hr.json';
import hu from './texts/hu.json';
import is from './texts/is.json';
import it from './texts/it.json';
import ja from './texts/ja.json';
import ko from './texts/ko.json';
import lt from './texts/lt.json';
import lv from './texts/lv.json';
import mt from './texts/mt.json';
import nb from './texts/nb.json';
import nl from './texts/nl.json';
import pl from './texts/pl.json';
import pt from './texts/pt.json';
import ptBR from './texts/pt-BR.json';
import ro from './texts/ro.json';
import sk from './texts/sk.json';
import sl from './texts/sl.json';
import sv from './texts/sv.json';
import tr from './texts/tr.json';
import uk from './texts/uk.json';
import zh from './texts/zh.json';
import zhHant from './texts/zh-Hant.json';

/** The texts of mails to people who make requests, and of the pages that their links lead to. */
export type MailTexts = typeof en;

/** By language (BCP 47): those of the banner. A text that is missing does not compile. */
export const MAIL_TEXTS: Readonly<Record<string, MailTexts>> = {
  ar,
  bg,
  cs,
  da,
  de,
  el,
  en,
  es,
  et,
  fi,
  fr,
  ga,
  he,
  hr,
  hu,
  is,
  it,
  ja,
  ko,
  lt,
  lv,
  mt,
  nb,
  nl,
  pl,
  pt,
  ro,
  sk,
  sl,
  sv,
  tr,
  uk,
  zh,
  'pt-BR': ptBR,
  'zh-Hant': zhHant,
};

/** The texts of a language, or of the nearest one that has some; English otherwise. */
export function mailTexts(language: string): { language: string; rtl: boolean; texts: MailTexts } {
  const tag = nearestTag(language, MAIL_TEXTS);
  return { language: tag, rtl: isRightToLeft(tag), texts: MAIL_TEXTS[tag] as MailTexts };
}

/** A text with its gaps filled. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap);

/** A day as people write it; in English as in Europe, the day first. */
export const dayIn = (language: string, timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone,
    calendar: 'gregory',
  }).format(at);
