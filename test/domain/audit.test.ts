import { changesOf } from '../../server/src/domain/audit';
import { resourceOf } from '../../server/src/domain/audit-resource';

const told = (before: object, after: object): string[] =>
  changesOf(before, after).changes.map(({ field, before: from, after: to }) => `${field}: ${from} → ${to}`);

describe('what changed', () => {
  test('fields by their path, and only those that differ', () => {
    const before = { name: 'a', inner: { one: 1, two: 2 } };
    expect(told(before, structuredClone(before))).toEqual([]);
    expect(told(before, { name: 'a', inner: { one: 1, two: 3 } })).toEqual(['inner.two: 2 → 3']);
  });

  test('what was not there is null, and so is what is gone; undefined and null are the same', () => {
    expect(told({ gone: 'x', none: null }, { made: true })).toEqual(['gone: x → null', 'made: null → true']);
  });

  test('elements of a list by their names, whatever their place', () => {
    const [a, b] = [
      { key: 'a', on: true },
      { key: 'b', on: true },
    ];
    expect(told({ list: [a, b] }, { list: [b, a] })).toEqual(['list: ["a","b"] → ["b","a"]']);
    expect(told({ list: [a] }, { list: [b, { ...a, on: false }] })).toEqual([
      'list[a].on: true → false',
      'list[b]: null → {"key":"b","on":true}',
    ]);
  });

  test('lists without names, or with one twice, are one value', () => {
    expect(told({ list: ['en'] }, { list: ['en', 'de'] })).toEqual(['list: ["en"] → ["en","de"]']);
    const twice = [{ name: 'a' }, { name: 'a' }];
    expect(told({ list: [{ name: 'a' }] }, { list: twice })).toEqual([
      'list: [{"name":"a"}] → [{"name":"a"},{"name":"a"}]',
    ]);
  });

  test('many changes of one part do not hide those of others', () => {
    const texts = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`text${n}`, 'new']));
    const list = Array.from({ length: 60 }, (_, n) => ({ name: `Activity ${n}` }));
    const before = { settings: { banner: { texts: {} }, activities: [], days: { consents: 400 }, on: true } };
    const after = { settings: { banner: { texts }, activities: list, days: { consents: 30 }, on: false } };
    const { changes, changes_left_out } = changesOf(before, after);
    const fields = changes.map(({ field }) => field);
    expect(fields).toEqual(expect.arrayContaining(['settings.days.consents', 'settings.on']));
    expect(fields.filter((field) => field.includes('texts'))).toHaveLength(24);
    // As they stand in the settings.
    expect(fields.at(-1)).toBe('settings.on');
    expect(changes.length + changes_left_out).toBe(122);
  });

  test('long texts do not hide what is short, however many there are before it', () => {
    const settings = (text: string, on: boolean, days: number) => ({
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`text${n}`, text.repeat(300)])),
      list: [1, 2, 3].map((n) => ({ name: `n${n}`, text: text.repeat(300), required: on })),
      enforce_origin: on,
      retention_days: { consents: days },
      version: on ? '1' : '2',
    });
    const before = { settings: settings('語', true, 400) };
    const { changes, changes_left_out } = changesOf(before, { settings: settings('言', false, 30) });
    const fields = changes.map(({ field }) => field);
    const short = ['enforce_origin', 'retention_days.consents', 'version', 'list[n1].required'];
    expect(fields).toEqual(expect.arrayContaining(short.map((name) => `settings.${name}`)));
    // In their turns, behind texts of which no further one fits.
    expect(fields).toEqual(
      expect.arrayContaining(['settings.list[n2].required', 'settings.list[n3].required']),
    );
    expect(fields).toContain('settings.text0');
    expect(changes.length + changes_left_out).toBe(29);
    expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(12.5 * 1024);
  });

  test('a list that becomes something else, and a field named like one of every object', () => {
    expect(told({ a: [] }, { a: 'x' })).toEqual(['a: [] → x']);
    expect(told({}, JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([
      '__proto__: null → 1',
      'constructor: null → 2',
    ]);
  });

  test('a cut value never ends within a character', () => {
    for (const shift of ['', 'x']) {
      const { changes } = changesOf({}, { text: shift + '😀'.repeat(400) });
      const { after, truncated } = changes[0] as { after: string; truncated: boolean };
      expect([truncated, after.isWellFormed(), after.length <= 300, after.endsWith('😀…')]).toEqual([
        ...[true, true, true, true],
      ]);
    }
  });

  test('an address shows its host alone, and still that it changed', () => {
    const show = { url: (url: string) => `${new URL(url).origin}/***` };
    const { changes } = changesOf({ url: 'https://a.example/one' }, { url: 'https://a.example/two' }, show);
    expect(changes).toEqual([
      { field: 'url', before: 'https://a.example/***', after: 'https://a.example/***', truncated: false },
    ]);
  });
});

describe('what a request was about', () => {
  test('what its path names, the most specific first, then its answer, then the site', () => {
    const token = 'env_x';
    expect(resourceOf({ token, webhook_id: 'W', delivery_id: 'D' }, {})).toEqual({
      ...{ resource: 'delivery', resource_id: 'd' },
    });
    expect(resourceOf({ token }, { key_id: 'Kk' })).toEqual({ resource: 'key', resource_id: 'Kk' });
    expect(resourceOf({ token }, undefined)).toEqual({ resource: 'site', resource_id: token });
    expect(resourceOf({}, null)).toBeUndefined();
  });

  test('never the session of a visitor', () => {
    expect(resourceOf({ token: 'env_x', session_id: 's' }, { session_id: 's' })?.resource).toBe('site');
  });
});
