import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const biome = JSON.parse(read('biome.json'));

/** The rules of `.editorconfig` by the pattern of the files that they hold for. */
const editor = new Map(
  read('.editorconfig')
    .split(/^\[(?=.*\]$)/m)
    .slice(1)
    .map((part) => {
      const [pattern = '', ...lines] = part.split('\n');
      const rules = lines.filter((line) => line.includes('=')).map((line) => line.split(/\s*=\s*/));
      return [pattern.replace(/\]$/, ''), Object.fromEntries(rules)];
    }),
);

test('editors are told what the formatter does', () => {
  expect(editor.get('*')).toMatchObject({
    indent_style: biome.formatter.indentStyle,
    indent_size: String(biome.formatter.indentWidth),
    max_line_length: String(biome.formatter.lineWidth),
  });
});

test('every text of the repository ends its lines as .editorconfig says', () => {
  const list = (...args: string[]) =>
    execFileSync('git', ['grep', '-I', ...args], { cwd: ROOT, encoding: 'utf8' });
  const none = (...args: string[]): string => {
    try {
      return list(...args);
    } catch (error) {
      // git grep ends with 1 when it finds nothing.
      if ((error as { status?: number }).status === 1) return '';
      throw error;
    }
  };
  const sources = ['--', ':!spec/generated', ':!*.snap', ':!test/**/fixtures/**'];
  expect(none('-l', '-P', '\\r$', ...sources)).toBe('');
  expect(none('-l', '-P', '[ \\t]+$', ...sources)).toBe('');
});

test('the commands of a contributor are npm scripts that start what is installed', () => {
  for (const name of ['start', 'test', 'dev', 'generate', 'check', 'format', 'build'])
    expect(manifest.scripts).toHaveProperty([name]);
  const programs = [...manifest.scripts.format.matchAll(/(?:^|&& )(\w+)/g)].map(([, program]) => program);
  expect(programs).toEqual(['biome', 'tsp']);
  for (const program of programs)
    expect(
      execFileSync(join(ROOT, 'node_modules', '.bin', program), ['--version'], { encoding: 'utf8' }),
    ).toMatch(/\d/);
});
