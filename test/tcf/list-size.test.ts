import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFolder } from '../../server/src/services/tcf/read-list';
import { listed, vendorList } from '../helpers/tcf/list';

const folder = mkdtempSync(join(tmpdir(), 'avow-gvl-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string): Promise<unknown> => {
  writeFileSync(join(folder, 'vendor-list.json'), text);
  return listFolder(folder).list(new AbortController().signal);
};

test.each([
  ['brackets', '['.repeat(2_000_000), 'is nested deeper than 32 levels'],
  ['empty lists', `[${'[],'.repeat(200_000)}[]]`, 'has more than 250000 brackets, commas and colons'],
  ['objects', `[${'{"a":1},'.repeat(100_000)}0]`, 'has more than 250000 brackets, commas and colons'],
  ['numbers', `[${'1,'.repeat(300_000)}1]`, 'has more than 250000 brackets, commas and colons'],
  ['spaces', ' '.repeat(4 * 2 ** 20 + 1), 'is larger than 4194304 bytes'],
])('a list of %s is refused before it is parsed', async (_, text, why) => {
  const parse = jest.spyOn(JSON, 'parse');
  try {
    await expect(read(text)).rejects.toThrow(`vendor-list.json ${why}`);
    expect(parse.mock.calls.filter(([given]) => given === text)).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test('one with twice the vendors of today is read, and what texts say counts for nothing', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const vendors = Array.from({ length: 2_000 }, (_, n) =>
    listed(n + 1, { purposes: all, dataDeclaration: all, name: '[{"\\": ,'.repeat(20) }),
  );
  const list = vendorList({}, vendors);
  expect(await read(`\ufeff${JSON.stringify(list, null, 1)}`)).toEqual(list);
});
