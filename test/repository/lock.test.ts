import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const packages: Record<string, LockedPackage> = read('package-lock.json').packages;
const manifest = read('package.json');

interface LockedPackage {
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/** What Avow is developed and run on, as npm names platforms. */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64', libc: '' },
  { os: 'darwin', cpu: 'arm64', libc: '' },
  { os: 'win32', cpu: 'x64', libc: '' },
];
const HOW = 'write the lock file anew: rm -rf node_modules package-lock.json && npm install';

const locked = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
);

/** What a package finds by a name: beside itself or in a folder above. */
function find(place: string, name: string): LockedPackage | undefined {
  for (let at = place; ; at = at.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found !== undefined || at === '') return found;
  }
}

test('every package has the hash of its file, and its licence', () => {
  expect(locked.length).toBeGreaterThan(500);
  const without = locked.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect([without.map(([place]) => place), HOW]).toEqual([[], HOW]);
});

test('no package for another platform is left out', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).filter(([name, wanted]) => {
      const found = find(place, name)?.version;
      return found === undefined || (/^\d/.test(wanted) && found !== wanted);
    }),
  );
  expect([missing, HOW]).toEqual([[], HOW]);
});

test.each(PLATFORMS)(
  '$os $cpu $libc has the compiled part of every package that needs one',
  ({ os, cpu, libc }) => {
    const fits = (one: LockedPackage | undefined): boolean =>
      one !== undefined &&
      [one.os ?? [os], one.cpu ?? [cpu]].every((list, index) => list.includes([os, cpu][index] as string)) &&
      (libc === '' || one.libc === undefined || one.libc.includes(libc));
    for (const [place, { optionalDependencies = {} }] of Object.entries(packages)) {
      const parts = Object.keys(optionalDependencies).map((name) => find(place, name));
      const compiled = parts.filter((one) => one?.os !== undefined && one.cpu !== undefined);
      // fsevents and its like: for one platform, and needed nowhere.
      if (compiled.length < 3) continue;
      // Its check in plain JavaScript is used; the compiled one never runs.
      if (place === 'node_modules/recheck') continue;
      expect([place, compiled.some(fits)]).toEqual([place, true]);
    }
  },
);

test('versions are exact', () => {
  // A second version of a package has an alias.
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    expect([name, String(version).replace(/^npm:[a-z-]+@/, '')]).toEqual([
      name,
      expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
    ]);
});
