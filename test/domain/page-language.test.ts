import { tagsOf } from '../../server/src/domain/banner/languages';
import { acceptedLanguages, chooseLanguage } from '../../server/src/domain/public-pages/language';

const site = { default_language: 'en', languages: ['en', 'de', 'fr'] };

test('a tag of any length costs no more than one that people use', () => {
  const long = `de-x-${'a-'.repeat(4_000)}b`;
  expect(chooseLanguage(site, { lang: long })).toBe('en');
  expect(chooseLanguage(site, { lang: long, accept: 'fr' })).toBe('fr');
  expect(chooseLanguage(site, { lang: 'de-Latn-AT-1996-x-private' })).toBe('de');
  // Each of a tag's forms is a text: all of them together are bounded too.
  expect(tagsOf(long).join('').length).toBeLessThan(200);
});

test('the languages of a site are taken apart once, however many a browser names', () => {
  const Locale = jest.spyOn(Intl, 'Locale');
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const languages = letters.map((letter) => `q${letter}`);
  const accept = letters.flatMap((one) => [`x${one}`, `y${one}`]).join(',');
  expect(chooseLanguage({ default_language: 'en', languages }, { accept })).toBe('en');
  expect(Locale.mock.calls.length).toBeLessThan(languages.length + letters.length);
  expect(acceptedLanguages(accept)).toHaveLength(16);
  Locale.mockRestore();
});
