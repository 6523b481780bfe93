import { tagsOf } from '../../server/src/domain/banner/languages';

test.each([
  ['de-AT', ['de-AT', 'de-Latn', 'de']],
  ['zh-TW', ['zh-TW', 'zh-Hant', 'zh']],
  ['zh-HK', ['zh-HK', 'zh-Hant', 'zh']],
  ['pt-BR', ['pt-BR', 'pt-Latn', 'pt']],
  ['zh-Hant-HK', ['zh-Hant-HK', 'zh-Hant', 'zh']],
  ['zh-CN', ['zh-CN', 'zh-Hans', 'zh']],
  ['zh', ['zh', 'zh-Hans']],
  ['nn', ['nn', 'nn-Latn', 'nb']],
  // Of the right form, and no valid tag.
  ['x1-foo-foo', ['x1-foo-foo', 'x1-foo', 'x1']],
])('texts for %s are looked for in %j', (language, tags) => {
  expect(tagsOf(language)).toEqual(tags);
});
