import { JSON_TYPE, StoredFile } from '../bundles/packed';
import type { CookieDeclaration } from '../domain/public-pages/declaration';
import { chooseLanguage } from '../domain/public-pages/language';
import type { Handler } from './handler';

/** How long a browser may show a declaration without asking again, in seconds. */
const MAX_AGE = 300;

const FORM = {
  name: 'json',
  contentType: JSON_TYPE,
  // biome-ignore lint/correctness/useYield: it takes few milliseconds.
  *write(data: CookieDeclaration): Generator<unknown, string> {
    return JSON.stringify({ status: 'success', data, message: 'Cookie declaration.' });
  },
};

export const getCookieDeclaration: Handler<'getCookieDeclaration'> = async (
  { pageSources, declarations },
  { site, query, countDeclaration },
) => {
  const source = await pageSources.find(site);
  const language = chooseLanguage(source.settings, { lang: query.lang });
  const file = await declarations.find(source, language, FORM, countDeclaration);
  return new StoredFile(file, `public, max-age=${MAX_AGE}`);
};
