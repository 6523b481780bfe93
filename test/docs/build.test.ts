import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPages, idsOf, textOf } from '../helpers/docs/site';

const PROGRAM = join(__dirname, '..', '..', 'dist', 'server', 'docs', 'build', 'main.js');

const FIRST = `---
title: First steps
description: How it <begins>.
order: 2
---

Call \`logConsent\` and read [the other one](02-other.md#a-part). Plain \`words\` stay plain, and <b>markup</b> is text.

## A part

\`\`\`ts run
const answer = '<script>alert(1)</script>'; // kept as text
\`\`\`

## A part

| a | b |
| - | - |
| \`dsar.created\` | \`rate_limited\` |
`;
const OTHER = `---
title: The other
description: Comes before.
order: 1
---

## A part

[Out](https://example.com/) and [the contract](/openapi.yaml).
`;

describe('building the documentation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'avow-docs-'));
    mkdirSync(join(folder, 'guides'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, 'guides', name), text);
  const build = () =>
    spawnSync(process.execPath, [PROGRAM, join(folder, 'guides'), join(folder, 'out')], { encoding: 'utf8' });

  test('makes pages of guides: in order, linked, with anchors, and nothing of them taken for markup', () => {
    write('01-first.md', FIRST);
    write('02-other.md', OTHER);
    write('README.md', 'no guide');
    const { status, stderr } = build();
    expect([status, stderr]).toEqual([0, '']);
    const pages = builtPages(join(folder, 'out'));
    const guides = pages.map(({ path }) => path).filter((path) => path.startsWith('guides/'));
    expect(guides).toEqual(['guides/first', 'guides/other']);
    const html = pages.find(({ path }) => path === 'guides/first')?.html ?? '';
    expect(html).toContain('<a href="/docs/guides/other#a-part">');
    expect(html).toContain('<a href="/docs/api/visitor#logConsent"><code>logConsent</code></a>');
    expect(html).toContain('<a href="/docs/webhooks#dsar-created"><code>dsar.created</code></a>');
    expect(html).toContain('<a href="/docs/errors#rate_limited"><code>rate_limited</code></a>');
    expect(html).toContain('<code>words</code>');
    expect(html).not.toMatch(/<b>|<begins>|<script>/);
    expect(textOf(html)).toContain("const answer = '<script>alert(1)</script>'; // kept as text");
    expect(idsOf(html)).toEqual(expect.arrayContaining(['a-part', 'a-part-2']));
    // The lower order comes first.
    expect(html).toMatch(/rel="prev" href="\/docs\/guides\/other"/);
    expect(readFileSync(join(folder, 'out', 'guides', 'first.md'), 'utf8')).toMatch(/^# First steps\n/);
    expect(readFileSync(join(folder, 'out', 'llms.txt'), 'utf8')).toContain(
      '- [The other](/docs/guides/other.md): Comes before.',
    );

    // Built again without one of them: it is gone, and what did not change keeps its name.
    const names = () => readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).sort();
    const before = names();
    rmSync(join(folder, 'guides', '02-other.md'));
    build();
    const isKept = (name: string) => !/other|search-.*json/.test(name);
    expect(names().filter(isKept)).toEqual(before.filter(isKept));
    expect(names().filter((name) => name.includes('other'))).toEqual([]);
  });

  test('names the guide whose beginning is wrong, and fails', () => {
    write('01-first.md', '# No front matter');
    const { status, stderr } = build();
    expect([status, stderr]).toEqual([
      1,
      'The documentation could not be built: 01-first.md must begin with ---, title, description, a number as order, and ---.\n',
    ]);
  });
});

/** The samples of one language, one for each operation. */
function samples(marker: string): string[] {
  return builtPages()
    .filter(({ path }) => path.startsWith('api/') || path === 'webhooks' || path === '')
    .flatMap(({ html }) =>
      [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/g)].map(([, code]) =>
        textOf(code as string),
      ),
    )
    .filter((code) => code.includes(marker));
}

describe('samples', () => {
  test('every sample of the SDK compiles', () => {
    const root = join(__dirname, '..', '..');
    const folder = mkdtempSync(join(root, 'dist', 'samples-'));
    try {
      const codes = samples("from '@avow/sdk");
      expect(codes.length).toBeGreaterThan(60);
      for (const [index, code] of codes.entries())
        writeFileSync(join(folder, `sample-${index}.ts`), `${code}\n`);
      const options = {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
        paths: {
          '@avow/sdk': [join(root, 'sdk', 'src', 'index.ts')],
          '@avow/sdk/webhooks': [join(root, 'sdk', 'src', 'webhooks.ts')],
        },
      };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
      );
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
