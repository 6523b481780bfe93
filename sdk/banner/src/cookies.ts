import { doc } from './document.js';

/**
 * Deletes the site's own cookies of refused categories, for every domain and path that this page can write.
 */
export function deleteCookies(allowed: (key: string) => boolean): void {
  /** Whether one of the categories that are allowed, or are not, names a cookie. */
  const named = (name: string, kept: boolean): boolean =>
    config.categories.some(({ key, cookies }) => allowed(key) === kept && matches(name, cookies));
  for (const name of names()) if (named(name, false) && !named(name, true)) remove(name);
}

const names = (): string[] => {
  try {
    return doc.cookie.split('; ').map((pair) => pair.split('=')[0] as string);
  } catch {
    // A sandboxed page cannot read cookies.
    return [];
  }
};

const matches = (name: string, patterns: string[]): boolean =>
  patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));

/** Steps of a path at which cookies are looked for: every pair takes time, and a path may have thousands. */
const MAX_STEPS = 20;

/**
 * Deletes a cookie. Its domain and path are part of its identity and cannot be read, so every possible pair
 * is tried.
 */
function remove(name: string): void {
  const labels = location.hostname.split('.');
  const domains = ['', ...labels.map((_, index) => `;domain=${labels.slice(index).join('.')}`)];
  const steps = location.pathname.split('/', MAX_STEPS);
  const paths = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  const kinds = location.protocol === 'https:' ? [';secure', ';secure;partitioned'] : [''];
  for (const domain of domains)
    for (const path of paths)
      for (const end of ['', '/'])
        for (const kind of kinds) {
          doc.cookie = `${name}=;max-age=0;path=${path + end || '/'}${domain}${kind}`;
        }
}
