import { tagsOf } from '../banner/languages';
import type { AnswerTemplate } from '../types';
import { BUILTIN_LANGUAGE } from './builtin';

type Chosen = Pick<AnswerTemplate, 'language'>;

/** Whether somebody who wants a language can be answered in another one: `de-AT` in `de`. */
export const serves = (wanted: string, language: string): boolean => tagsOf(wanted).includes(language);

/** The first template in the nearest language that is wanted, otherwise in English, otherwise the first of all. */
export function chooseTemplate<Template extends Chosen>(
  templates: readonly Template[],
  wanted: string,
): Template | undefined {
  for (const tag of [...tagsOf(wanted), BUILTIN_LANGUAGE]) {
    const found = templates.find(({ language }) => language === tag);
    if (found !== undefined) return found;
  }
  return templates[0];
}
