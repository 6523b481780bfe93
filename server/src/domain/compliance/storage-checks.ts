import { inBrackets } from '../cookies/storage';
import { type Check, fail, type PageEvidence, pass, unknown } from './evidence';
import { foundOn, onPages } from './pages';

/** Names that are shown of a page. */
const SHOWN = 10;

const listed = (names: readonly string[], count: number): string => {
  const shown = names.slice(0, SHOWN);
  if (shown.length === 0) return `${count} found`;
  return shown.join(', ') + (count > shown.length ? ` and ${count - shown.length} more` : '');
};
const namesOf = ({ before, beforeCount }: PageEvidence): string =>
  listed(
    before.map((one) => `${one.name} (${inBrackets(one)})`),
    beforeCount,
  );

/**
 * Nothing but the necessary is stored before a choice, in cookies or elsewhere (ePrivacy Art. 5(3)). The worst of
 * the pages that were scanned counts: a clean one says nothing of the others.
 */
export const nothingBeforeConsent: Check = {
  id: 'nothing_before_consent',
  title: 'Nothing non-essential is stored before consent',
  weight: 10,
  legalReference: 'ePrivacy Directive Art. 5(3); CJEU C-673/17 (Planet49); EDPB Guidelines 2/2023',
  find: ({ scans: { pages, hasMore, isBehind } }) => {
    const bad = pages.filter(({ beforeCount }) => beforeCount > 0);
    if (bad.length > 0)
      return fail(
        `before consent ${foundOn(bad, namesOf)}`,
        'Block the scripts that set them until the visitor has agreed, then scan the same pages again.',
      );
    if (isBehind)
      return unknown('scans from before an upgrade are still being counted', 'Look again in some minutes.');
    if (pages.length === 0) return unknown('the site was not scanned yet', 'Start a cookie scan.');
    const blind = pages.filter(({ conclusive }) => !conclusive);
    if (blind.length > 0)
      return unknown(
        `none was seen, but scripts were not run to the end, or not everything could be read, on ${onPages(blind)}`,
        'Scan these pages again, with a browser: install Chromium on the server if it has none.',
      );
    const open = pages.filter(({ unclassifiedCount }) => unclassifiedCount > 0);
    if (open.length > 0)
      return unknown(
        `of unknown purpose ${foundOn(open, (page) => listed(page.unclassified, page.unclassifiedCount))}`,
        'List them with the vendors of the site.',
      );
    if (hasMore)
      return unknown(
        `none on ${pages.length} pages, but more were scanned than are looked at`,
        'Scan fewer pages: what a scan found counts for 30 days.',
      );
    return pass(`none on ${onPages(pages)}`);
  },
};
