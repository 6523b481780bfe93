import fc from 'fast-check';
import Negotiator from 'negotiator';
import { chooseEncoding } from '../../server/src/http/files';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0.5, br;q=0.1', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1', 'br'],
  ['*;q=0, gzip', 'gzip'],
  ['gzip ; Q=0, identity', 'identity'],
  ['br;q=nonsense, gzip', 'gzip'],
  ['identity;q=0', 'identity'],
  [',,;;"', 'identity'],
])('Accept-Encoding %j gets %s', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected);
});

test('whatever is sent, an encoding is chosen, and always the same', () => {
  const part = fc.constantFrom(
    'gzip',
    'br',
    '*',
    'identity',
    ';',
    'q=',
    '0',
    '1',
    '.',
    ',',
    ' ',
    '"',
    '\\',
    '\t',
    'é',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const header = parts.join('');
      const first = chooseEncoding(header);
      expect(['br', 'gzip', 'identity']).toContain(first);
      expect(chooseEncoding(header)).toBe(first);
    }),
  );
});

test('a header that no browser sends is not read: its reading would cost more than its length', () => {
  const read = jest.spyOn(Negotiator.prototype, 'encodings');
  try {
    expect(chooseEncoding(`br,${'gzip,'.repeat(3_000)}`)).toBe('identity');
    expect(read).not.toHaveBeenCalled();
    expect(chooseEncoding(`br,${'gzip,'.repeat(50)}`)).toBe('br');
    expect(read).toHaveBeenCalledTimes(1);
  } finally {
    read.mockRestore();
  }
});
