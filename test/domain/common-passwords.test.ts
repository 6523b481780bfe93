import { isCommonPassword } from '../../server/src/domain/common-passwords';

test.each([
  'administrator',
  'Password1234!',
  '123456password',
  'PasswordPassword',
  'qwertyuiop12',
  '1qaz2wsx3edc',
  'aaaaaaaaaaaa',
  'abababababab',
  '123456789012',
  'abcdefghijkl',
  '987654321098',
  'ada.lovelace',
  'Ada.Lovelace1815',
])('%s is tried first', (password) => {
  expect(isCommonPassword(password, ['ada.lovelace'])).toBe(true);
});

test.each([
  'correct horse battery',
  'staple horse correct',
  'eine lange Reihe von Wörtern',
  '8402917365520184',
  'dragon 8402917365520184',
  'x7$kQ9!vRb2#',
  'пароль который знаю я',
  '密码由四个不同的词语组成吧',
])('%s is not', (password) => {
  expect(isCommonPassword(password, ['ada.lovelace'])).toBe(false);
});
