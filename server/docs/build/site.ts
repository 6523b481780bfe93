import { contractDocument } from '../../src/contract/document';
import { readTags, type Tag } from './contract';
import { readEvents, type WebhookEvent } from './events';
import type { Guide } from './guides';
import { type Html, slug } from './html';

/** The path at which the documentation is served. */
export const BASE = '/docs/';

export interface Heading {
  level: number;
  id: string;
  title: string;
}

/** An entry of the search: an address and its text. */
export interface Finding {
  kind: 'guide' | 'operation' | 'field' | 'event' | 'error';
  title: string;
  /** The place in words. */
  place: string;
  href: string;
  text: string;
  /** Other words for it. */
  also?: string;
}

/** A page without its frame. */
export interface Page {
  /** The path below `/docs/`, without extension: `api/visitor`; empty for the first page. */
  path: string;
  title: string;
  description: string;
  body: Html;
  headings: Heading[];
  findings: Finding[];
  /** The same page in Markdown, for programs. */
  markdown: string;
  /** Whether it has two columns beside the navigation: text and samples. */
  wide?: boolean;
}

export interface Site {
  version: string;
  tags: Tag[];
  events: WebhookEvent[];
  guides: Guide[];
}

export const readSite = (guides: Guide[]): Site => ({
  version: contractDocument().info.version,
  tags: readTags(),
  events: readEvents(),
  guides,
});

export const hrefOf = (path: string): string => `${BASE}${path}`;
export const tagPath = (tag: Tag): string => `api/${tag.slug}`;
export const eventAnchor = (name: string): string => slug(name.replaceAll(/[._]/g, '-'));

/** The address that explains an operation, an event or an error code; undefined for other words. */
export function placeOf(
  site: Pick<Site, 'tags' | 'events'>,
  codes: readonly string[],
  word: string,
): string | undefined {
  const tag = site.tags.find(({ operations }) => operations.some(({ id }) => id === word));
  if (tag !== undefined) return `${hrefOf(tagPath(tag))}#${word}`;
  if (site.events.some(({ name }) => name === word)) return `${hrefOf('webhooks')}#${eventAnchor(word)}`;
  return codes.includes(word) ? `${hrefOf('errors')}#${word}` : undefined;
}
