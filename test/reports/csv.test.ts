import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellText } from '../../server/console/src/pages/analytics/csv-cell';
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

test('no cell of a CSV file begins a formula, wherever a spreadsheet cuts it', () => {
  const text = csvLines(CELLS.map((cell) => [cell, cell, 'x']));
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
    .filter((name) => readFileSync(join(folder, name), 'utf8').includes("'csv-stringify"));
  expect(writers).toEqual([join('services', 'csv.ts')]);
});
