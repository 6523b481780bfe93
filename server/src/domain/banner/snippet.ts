/** Where a bundle is, and the HTML that puts it into a page. */
export interface BundleAddresses {
  url: string;
  immutable_url: string;
  snippet: string;
  snippet_pinned: string;
}

/** A script element that is neither deferred nor async: what it blocks must not run before it. */
export function addressesOf(
  server: string,
  token: string,
  { hash, integrity }: { hash: string; integrity: string },
): BundleAddresses {
  const url = moving(server, token);
  const immutable_url = `${server}/api/bundles/${token}/${hash}.js`;
  return {
    url,
    immutable_url,
    snippet: snippetOf(server, token),
    snippet_pinned: `<script src="${attribute(immutable_url)}" integrity="${integrity}" crossorigin="anonymous"></script>`,
  };
}

/** The HTML that always loads a site's present bundle. */
export const snippetOf = (server: string, token: string): string =>
  `<script src="${attribute(moving(server, token))}"></script>`;

const moving = (server: string, token: string): string => `${server}/api/bundles/${token}.js`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
