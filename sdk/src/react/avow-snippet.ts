import { createElement, Fragment, type ReactElement } from 'react';
import { readSnippet } from '../browser/snippet.js';

export interface AvowSnippetProps {
  /** `snippet` or `snippet_pinned` of `generateBundle`, which the console shows: whole and unchanged. */
  snippet: string;
  /** Of the page's Content-Security-Policy, for both scripts. */
  nonce?: string | undefined;
}

/**
 * The banner's scripts as elements, for the `<head>` of a document that React renders on a server. A page that has
 * HTML of its own holds the snippet there instead. Twice on a page, or rendered again, it is still one banner.
 */
export function AvowSnippet({ snippet, nonce }: AvowSnippetProps): ReactElement {
  const scripts = readSnippet(snippet).map(({ attributes, text }) => {
    const { async: isAsync, crossorigin, ...rest } = attributes;
    return createElement('script', {
      ...rest,
      key: text,
      nonce,
      // Browsers hide the nonce, so that hydration would miss it.
      suppressHydrationWarning: true,
      ...(isAsync !== undefined && { async: true }),
      ...(crossorigin !== undefined && { crossOrigin: crossorigin }),
      ...(text && { dangerouslySetInnerHTML: { __html: text } }),
    });
  });
  return createElement(Fragment, null, scripts);
}
