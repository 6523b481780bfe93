import type { PageEvidence } from './evidence';

/** Pages that are named. */
const NAMED = 3;

const dayOf = ({ at }: PageEvidence): string => at.toISOString().slice(0, 10);

/** Which pages these are, with the day of the scan that counts, for people. */
export const onPages = (pages: readonly PageEvidence[]): string =>
  eachOf(pages, (one) => `${one.page} (scan of ${dayOf(one)})`, ', ');

/** The same with what was found on each. */
export const foundOn = (pages: readonly PageEvidence[], found: (page: PageEvidence) => string): string =>
  eachOf(pages, (one) => `on ${one.page} (scan of ${dayOf(one)}): ${found(one)}`, '; ');

function eachOf(
  pages: readonly PageEvidence[],
  say: (page: PageEvidence) => string,
  between: string,
): string {
  const more = pages.length - NAMED;
  const rest = more > 0 ? [`${more} more ${more === 1 ? 'page' : 'pages'}`] : [];
  return [...pages.slice(0, NAMED).map(say), ...rest].join(between);
}
