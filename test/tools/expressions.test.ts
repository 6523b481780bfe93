import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

jest.setTimeout(60_000);

const PROGRAM = join(__dirname, '..', '..', 'tools', 'check-expressions.mjs');
const FOLDERS = [
  ...['server/src', 'server/console/src', 'server/docs/site', 'sdk/src', 'sdk/banner/src', 'server/cli'],
];
const folder = mkdtempSync(join(tmpdir(), 'avow-expressions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What the check finds wrong in a product of these files. */
function wrongOf(files: Record<string, string>, schemas: object = {}): string[] {
  rmSync(folder, { recursive: true, force: true });
  for (const one of FOLDERS) mkdirSync(join(folder, one), { recursive: true });
  write('spec/generated/openapi.json', JSON.stringify({ components: { schemas } }));
  write('server/src/domain/cookies/classification.data.json', '{"vendors":[]}');
  for (const [path, text] of Object.entries(files)) write(path, text);
  const { stderr, stdout } = spawnSync(process.execPath, [PROGRAM, folder], { encoding: 'utf8' });
  expect(stdout).toMatch(/\d+ expressions, \d+ problems/);
  return stderr.split('\n').filter(Boolean);
}

test('an exception holds at its place alone', () => {
  const excepted = 'export const end = /\\/+$/;';
  expect(wrongOf({ 'sdk/src/client.ts': excepted })).toEqual([]);
  expect(wrongOf({ 'sdk/src/client.ts': excepted, 'server/src/http/query.ts': excepted })).toEqual([
    expect.stringMatching(/^server\/src\/http\/query\.ts: .*vulnerable/),
  ]);
});

test('a text of the contract with a pattern or a format has a length', () => {
  const pattern = '^[a-z]+$';
  const schemas = {
    Bounded: { type: 'string', pattern, maxLength: 40 },
    Chosen: { type: 'string', format: 'uri', enum: ['a:b'] },
    Number: { type: ['integer', 'null'], format: 'int32' },
    Matched: { type: 'string', pattern },
    Nested: { type: 'object', properties: { at: { type: ['string', 'null'], format: 'date-time' } } },
  };
  expect(wrongOf({}, schemas)).toEqual([
    expect.stringContaining('#/components/schemas/Matched: '),
    expect.stringContaining('#/components/schemas/Nested/properties/at: '),
  ]);
});
