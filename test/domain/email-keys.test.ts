import { isSameAddress } from '../../server/console/src/pages/session/same-address';
import { emailKey, emailKeys } from '../../server/src/domain/email-keys';

const A_LABELS = 'bob@xn--mnchen-3ya.example';
const COMPOSED = 'ren\u00e9@m\u00fcnchen.example';
const KEY = 'ren\u00e9@xn--mnchen-3ya.example';

test.each([
  ['bob@münchen.example', A_LABELS],
  ['bob@münchen.example'.normalize('NFD'), A_LABELS],
  ['BOB@MÜNCHEN.example', A_LABELS],
  ['Bob@XN--MNCHEN-3YA.Example', A_LABELS],
  // Full-width letters, and ideographic dots also at the end.
  ['bob@ｍünchen。example。', A_LABELS],
  [COMPOSED, KEY],
  [COMPOSED.toUpperCase().normalize('NFD'), KEY],
  // Lower case of the Turkish capital is a letter and a dot.
  ['\u0130@example.com', 'i\u0307@example.com'],
  ['I\u0307@example.com', 'i\u0307@example.com'],
  ['bob@straße.example', 'bob@xn--strae-oqa.example'],
])('%s is compared as %s', (email, key) => {
  expect(emailKey(email)).toBe(key);
  expect(emailKey(key)).toBe(key);
  expect(isSameAddress(email, key)).toBe(true);
  expect(emailKeys(email)).toEqual(expect.arrayContaining([key, email.toLowerCase()]));
});

// As parts of a web address these would lose what makes them other domains than v.example.
test.each([
  ...['bob@v.example/x.yy', 'bob@v.example%2ex.yy', 'bob@v.example?x.yy', 'bob@v.example#x.yy'],
  ...['bob@ü.example/x.yy', 'bob@%c3%bc.example', 'bob@ü／x.example', 'bob@xn--mnchen-3ya.example/x.yy'],
  ...['bob@xn--a.example', '', 'links of 7', 'b+o.b@example.com', 'bob@127.10'],
])('%j stays as it is', (email) => {
  expect(emailKey(email)).toBe(email);
  expect(new Set(emailKeys(email).map((key) => key.normalize('NFC')))).toEqual(new Set([email]));
  expect(isSameAddress(email, 'bob@v.example')).toBe(false);
});

test('an address is looked up by every key that an earlier version can have stored, and by few', () => {
  expect(emailKeys('Ada@Example.com')).toEqual(['ada@example.com']);
  const unicode = 'bob@münchen.example';
  for (const spelling of [A_LABELS, unicode, unicode.normalize('NFD')])
    expect(new Set(emailKeys(spelling))).toEqual(
      new Set([A_LABELS, unicode.normalize('NFC'), unicode.normalize('NFD')]),
    );
  const all = emailKeys(COMPOSED);
  expect(all).toHaveLength(6);
  expect(all).toEqual(expect.arrayContaining([KEY, COMPOSED, COMPOSED.normalize('NFD')]));
  // As typed comes first: it tells two accounts from before apart.
  expect(emailKeys(COMPOSED.normalize('NFD'))[0]).toBe(COMPOSED.normalize('NFD'));
  expect(emailKeys('ren\u00e9@ｍünchen.example')).toHaveLength(7);
});
