import type { Page, Site } from '../site';
import { errorsPage } from './errors';
import { guidePage } from './guide';
import { homePage } from './home';
import { overviewPage } from './overview';
import { referencePage } from './reference';
import { webhooksPage } from './webhooks';

/** All pages in reading order. */
export function makePages(site: Site): Page[] {
  const seen = new Set<string>();
  return [
    homePage(site),
    ...site.guides.map((guide) => guidePage(guide, site)),
    overviewPage(site),
    ...site.tags.map((tag) => referencePage(tag, seen)),
    webhooksPage(site),
    errorsPage(site),
  ];
}
