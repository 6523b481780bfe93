import type { Schemas } from '../../app/data';
import { languageNames } from '../../app/lists';
import { words } from '../../ui';
import type { Group } from './view';

/** What people call one group of a report. */
export function nameOf(
  kind: Group | 'category',
  key: string,
  categories: readonly Schemas['Category'][] = [],
): string {
  if (kind === 'category') return categories.find((one) => one.key === key)?.name ?? words(key);
  if (kind === 'banner_version') return /^\d+$/.test(key) ? `Version ${key}` : words(key);
  if (kind !== 'language') return words(key);
  const name = languageNames([key]);
  return name === key ? words(key) : `${name} (${key})`;
}
