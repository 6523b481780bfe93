import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { cellText } from '../../server/console/src/pages/analytics/csv-cell';
import { neutralise, neutralised } from '../../server/src/domain/formulas';
import { csvLines } from '../../server/src/services/csv';
import { cutCsv } from './cut-csv';
import { readCsv } from './read-xlsx';

const ROOT = join(__dirname, '..', '..');
const PARTS = ['', 'a', ';', '=1', '+1', '-1', '@x', '\t', '\r', '\n', ' ', '\uff1d1', '"', '\uff02', '""'];
const CELLS = PARTS.flatMap((a) => PARTS.flatMap((b) => PARTS.map((c) => a + b + c)));
const DANGEROUS = /^\s*[=+\-@\uff1d]/;

const expectSafe = (text: string): void => {
  for (const separator of [',', ';', '\t']) {
    const unsafe = cutCsv(text, separator).filter((cell) =>
      cell.split(/[;\r\n\t]/).some((piece) => DANGEROUS.test(piece)),
    );
    expect([separator, unsafe]).toEqual([separator, []]);
  }
};

test('the reader of these tests finds a formula behind an empty quoted text', () => {
  expect(cutCsv('1,"Mozilla ;""=cmd";2\r\n', ';')).toEqual(['1,"Mozilla ', '=cmd"', '2', '', '']);
  expect(cutCsv('a,"b "";"" c",d\n', ',')).toEqual(['a', 'b ";" c', 'd', '']);
});

async function textOf(...given: Parameters<typeof csvLines>): Promise<string> {
  let text = '';
  for await (const piece of csvLines(...given)) text += piece;
  return text;
}

test('no cell of a CSV file begins a formula, wherever a spreadsheet cuts it', async () => {
  const text = await textOf(CELLS.map((cell) => [cell, cell, 'x']));
  expect(readCsv(text)).toHaveLength(CELLS.length);
  expectSafe(text);
});

test('nor one that the console writes', () => {
  const text = CELLS.map((cell) => `${cellText(cell)},${cellText(cell)},x\r\n`).join('');
  expect(readCsv(text)).toHaveLength(CELLS.length);
  expectSafe(text);
});

test('one writer makes every CSV file of the server', () => {
  const folder = join(ROOT, 'server', 'src');
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /'csv-stringify|\bneutralised\(/.test(readFileSync(join(folder, name), 'utf8')));
  expect(writers.sort()).toEqual([join('domain', 'formulas.ts'), join('services', 'csv.ts')]);
});

/** What quoting, cutting and formulas turn on, ordinary characters of one, two and four bytes among them. */
const cell = fc
  .array(fc.constantFrom(...PARTS, ',', 'é', '\ud83d\ude00', '\ud83d', '\udb40\udc01', '\u200b', '\0'), {
    maxLength: 24,
  })
  .map((parts) => parts.join(''));

test('the writer says what the library says that is made for it, byte for byte', async () => {
  const options = fc.record({ bom: fc.boolean(), quoted: fc.boolean() }, { requiredKeys: [] });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, options, async (given, how) => {
      const safe = given.map((cells) => cells.map(neutralise));
      expect(await textOf(given, how)).toBe(stringify(safe, how));
    }),
    { numRuns: 1_000 },
  );
});

test('a cell that is made safe in pieces is the same, wherever it is cut', () => {
  fc.assert(
    fc.property(cell, fc.integer({ min: 1, max: 30 }), (text, slice) => {
      expect([...neutralised(text, slice)].join('')).toBe(neutralise(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['quotation marks', '"'],
  ['formulas', ';='],
  ['characters of four bytes', '\u{1f600}'],
])('a file of %s is written in small pieces, whether a cell is large or there are many', async (_, part) => {
  const cellOf = (length: number): string => `a${part.repeat(length / part.length)}`;
  for (const rows of [
    [[cellOf(300_000), cellOf(300_000)]],
    Array(300).fill([cellOf(1_000), cellOf(1_000)]),
  ]) {
    const lengths: number[] = [];
    for await (const piece of csvLines(rows)) {
      lengths.push(piece.length);
      // Bytes are made of each piece by itself.
      expect(piece.isWellFormed()).toBe(true);
    }
    expect(lengths.length).toBeGreaterThan(6);
    expect(Math.max(...lengths)).toBeLessThan(128 * 1024);
  }
});

test('others have their turn while a large cell is written', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await textOf([[';="'.repeat(100_000)]]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});
