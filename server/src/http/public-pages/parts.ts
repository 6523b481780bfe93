import { escapeHtml } from '../../domain/html';

export const paragraph = (words: string): string => `<p>${escapeHtml(words)}</p>`;

/** Names and values; what is empty is left out. */
export const facts = (pairs: readonly (readonly [name: string, value: string | undefined])[]): string =>
  `<dl>${pairs
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value = '']) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`)
    .join('')}</dl>`;
