import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outageOf } from '../../server/src/db/outage';
import { ListError, readGlobalList } from '../../server/src/domain/tcf/list';
import { describeError } from '../../server/src/observability/logger';
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

test.each([
  ['long', 'a'.repeat(2_000_000)],
  ['of lines', '\n'.repeat(2_000_000)],
  ['of what turns text', '\u202e'.repeat(1_000_000)],
])('what an error and its line of the log quote of a list is short: a key that is %s', (_, key) => {
  let error: unknown;
  try {
    Array.from(readGlobalList({ ...vendorList(), vendors: { [key]: null } }));
  } catch (thrown) {
    error = thrown;
  }
  expect((error as Error).message.length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(describeError(error)).length).toBeLessThan(10_000);
  // Nor is an error of any other kind told with all that it quotes.
  const told = JSON.stringify(describeError(new Error(key)));
  expect(told.length).toBeLessThan(30_000);
  expect(told).toContain('list-size.test');
});

test('what somebody wrote in a list is no failure of the database', () => {
  expect(outageOf(new ListError('vendors.Connection terminated is missing'))).toBeUndefined();
  expect(outageOf(new Error('Connection terminated unexpectedly'))?.kind).toBe('unreachable');
});

test('one with twice the vendors of today is read, and what texts say counts for nothing', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const vendors = Array.from({ length: 2_000 }, (_, n) =>
    listed(n + 1, { purposes: all, dataDeclaration: all, name: '[{"\\": ,'.repeat(20) }),
  );
  const list = vendorList({}, vendors);
  expect(await read(`\ufeff${JSON.stringify(list, null, 1)}`)).toEqual(list);
});
