import MiniSearch from 'minisearch';
import type { Finding } from './site';

/** The options with which the page's script must load the index. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'words', 'place', 'text'],
  storeFields: ['kind', 'title', 'place', 'href'],
};

/** Names in code can be found by their parts: `logConsent` by "consent", `session_id` by "session". */
const wordsOf = (title: string): string => title.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[._]/g, ' ');

/** The serialised search index. */
export function searchIndex(findings: readonly Finding[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(
    findings.map((finding, id) => ({
      id,
      ...finding,
      words: `${wordsOf(finding.title)} ${finding.also ?? ''}`,
      text: finding.text.slice(0, 1500),
    })),
  );
  return JSON.stringify(index);
}
