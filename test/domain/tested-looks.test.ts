import { testFaults } from '../../server/src/domain/banner/version-b';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Settings } from '../../server/src/domain/types';
import { testOf } from '../helpers/site/two-banners';

const faults = (more: Partial<Settings>, texts: object, own: Settings['banner']['texts'] = {}) => {
  const settings = { ...defaultSettings(), ...more };
  settings.banner = { ...settings.banner, texts: own };
  return testFaults({ ...settings, banner_test: testOf(settings, { texts } as never) as never }, () => []);
};
const tcf = { purposes: {} } as never;

const same = [
  {
    path: 'body.settings.banner_test.banner',
    message: 'is the same as banner: change something in it',
    code: 'invalid',
  },
];

test('with IAB Europe’s framework, whose first layer has its own text, a version with another description is the same', () => {
  const description = 'We ask.';
  expect(faults({ tcf }, { en: { description } })).toEqual(same);
  expect(faults({ tcf }, { en: { description } }, { en: { title: 'Cookies' } })).toEqual(same);
  expect(faults({ tcf }, { en: { description, title: 'May we?' } })).toEqual([]);
  expect(faults({}, { en: { description } })).toEqual([]);
  expect(faults({ tcf: null }, { en: { description } })).toEqual([]);
});

test('texts of languages that the site does not have make no other version', () => {
  expect(faults({}, { fr: { title: 'Cookies ?' } })).toEqual(same);
  expect(faults({ languages: ['en', 'fr'] }, { fr: { title: 'Cookies ?' } })).toEqual([]);
});
