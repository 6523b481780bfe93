import { readFile } from 'node:fs/promises';

export const RESOLV_CONF = '/etc/resolv.conf';
/** resolv.conf(5): glibc's old bound of the list, and its default of `ndots`. */
const MAX_SUFFIXES = 6;
const NDOTS = 1;

/**
 * The full names that a name may stand for, in query order (resolv.conf(5)): in a cluster short names are
 * completed with `search`. A final dot marks a full name.
 */
export async function fullNames(name: string, path = RESOLV_CONF): Promise<string[]> {
  if (name.endsWith('.')) return [name];
  const text = await readFile(path, 'utf8').catch(() => '');
  const { suffixes, ndots } = readSearch(text);
  const completed = suffixes.map((suffix) => `${name}.${suffix}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...completed] : [...completed, name];
}

function readSearch(text: string): { suffixes: string[]; ndots: number } {
  let suffixes: string[] = [];
  let ndots = NDOTS;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    // The last such line counts.
    if (keyword === 'search' || keyword === 'domain')
      suffixes = words.filter((word) => word !== '.').slice(0, MAX_SUFFIXES);
    if (keyword !== 'options') continue;
    for (const word of words) if (/^ndots:\d{1,2}$/.test(word)) ndots = Number(word.slice(6));
  }
  return { suffixes, ndots };
}
