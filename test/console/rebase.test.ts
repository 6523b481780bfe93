import { rebase } from '../../server/console/src/ui/rebase';

const category = (key: string, more: object = {}) => ({ key, name: key, required: false, ...more });

test('where only one of two changed something, that change holds', () => {
  const base = { title: 'a', days: 30, open: false };
  expect(rebase(base, { ...base, title: 'typed' }, { ...base, days: 90 })).toEqual({
    ...{ title: 'typed', days: 90, open: false },
  });
  expect(rebase(base, base, { ...base, open: true })).toEqual({ ...base, open: true });
});

test('where both changed the same, what was typed stays', () => {
  expect(rebase({ title: 'a' }, { title: 'typed' }, { title: 'saved' })).toEqual({ title: 'typed' });
  expect(rebase<{ days?: number }>({ days: 1 }, {}, { days: 2 })).toEqual({});
});

test('records in records are compared field by field, also those that only one of the two has', () => {
  const base = { texts: { en: { title: 'Cookies' } } };
  const typed = { texts: { en: { title: 'Cookies', text: 'typed' }, de: { title: 'Kekse' } } };
  const saved = { texts: { en: { title: 'Biscuits' }, fr: { title: 'Cookies' } } };
  expect(rebase<object>(base, typed, saved)).toEqual({
    texts: { en: { title: 'Biscuits', text: 'typed' }, de: { title: 'Kekse' }, fr: { title: 'Cookies' } },
  });
});

test('entries of lists are added, changed and removed by both', () => {
  const base = ['a', 'b', 'c', 'd'].map((key) => category(key));
  const [a, b, , d] = base;
  const typed = [a, { ...b, name: 'typed' }, d, category('mine')];
  const saved = [a, { ...b, required: true }, category('c'), category('theirs')];
  expect(rebase<unknown>(base, typed, saved)).toEqual([
    a,
    { ...b, name: 'typed', required: true },
    category('mine'),
    category('theirs'),
  ]);
});

test('an entry that was changed here and removed there stays; one that was removed here is gone', () => {
  const base = [category('a'), category('b')];
  const typed = [category('a', { name: 'typed' })];
  const saved = [category('b', { required: true })];
  expect(rebase<unknown>(base, typed, saved)).toEqual([category('a', { name: 'typed' })]);
});

test('entries without a name yet are all kept', () => {
  const typed = [category(''), category('', { required: true })];
  expect(rebase<unknown>([], typed, [category('a')])).toEqual([...typed, category('a')]);
});

test('lists of words are merged as well', () => {
  expect(rebase(['en', 'de'], ['en', 'de', 'fr'], ['en', 'it'])).toEqual(['en', 'fr', 'it']);
});
