import { createHash } from 'node:crypto';

/** Where a bundle is, and the HTML that puts it into a page. */
export interface BundleAddresses {
  url: string;
  immutable_url: string;
  snippet: string;
  snippet_pinned: string;
  snippet_blocking: string;
  snippet_csp_hash: string;
}

/** The bundle's hash and integrity. */
export interface Named {
  hash: string;
  integrity: string;
}

/** Addresses and snippets of a bundle; `inline` is the text of the inline script. */
export function addressesOf(
  server: string,
  token: string,
  { hash, integrity }: Named,
  inline: string,
): BundleAddresses {
  const url = moving(server, token);
  const immutable_url = immutableUrl(server, token, hash);
  return {
    url,
    immutable_url,
    snippet: `<script>${inline}</script>${element(url, ' async')}`,
    snippet_pinned: `<script>${inline}</script>${element(immutable_url, ' async', ` integrity="${integrity}" crossorigin="anonymous"`)}`,
    snippet_blocking: snippetOf(server, token),
    snippet_csp_hash: `sha256-${createHash('sha256').update(inline).digest('base64')}`,
  };
}

/** The permanent address of a bundle. */
export const immutableUrl = (server: string, token: string, hash: string): string =>
  `${server}/api/bundles/${token}/${hash}.js`;

/** One line of HTML that always loads a site's present bundle, before anything else of the page. */
export const snippetOf = (server: string, token: string): string => element(moving(server, token));

const element = (url: string, before = '', after = ''): string =>
  `<script${before} src="${attribute(url)}"${after}></script>`;

const moving = (server: string, token: string): string => `${server}/api/bundles/${token}.js`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
