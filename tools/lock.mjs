// @ts-check
// `npm run lock`: completes package-lock.json. npm leaves out optional packages of other platforms when the registry at hand lacks them,
// and `npm ci` then refuses the file everywhere else.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!/^\d/.test(version) || isListed(place, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform(name),
      ...(entry.dev ? { dev: true } : {}),
      license: entry.license ?? 'MIT',
      optional: true,
    };
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(
  `${added.length} optional packages added${added.length > 0 ? `: ${added.join(', ')}` : ''}\n`,
);

/**
 * Whether a package finds another one, as Node looks for it: beside itself or in a folder above.
 * @param {string} place
 * @param {string} name
 */
function isListed(place, name) {
  for (let at = place; ; at = at.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

/**
 * The platform that a package's name speaks of. Without it npm would install the package everywhere.
 * @param {string} name
 */
function platform(name) {
  const parts = (name.split('/')[1] ?? name).replace('windows', 'win32').split('-');
  const system = parts.find((part) => SYSTEMS.includes(part));
  const processor =
    parts.find((part) => PROCESSORS.includes(part)) ?? (parts.includes('universal') ? undefined : 'none');
  if (system === undefined && processor !== 'wasm32')
    throw new Error(`${name} names no platform: add it to the lock by hand.`);
  const libc = parts.some((part) => part.startsWith('musl'))
    ? 'musl'
    : parts.some((part) => part.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return {
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
    ...(system === undefined ? {} : { os: [system] }),
  };
}
