/** What a site links to and embeds; `server` is where the site's script comes from, `token` the site's. */
export function pagesOf(server: string, token: string) {
  const url = (page: string): string => `${server}/pages/${token}/${page}`;
  return {
    request: url('request'),
    preferences: url('preferences'),
    cookies: url('cookies'),
    fragment: url('cookies/fragment'),
    json: `${server}/api/public/cookie-declaration/${token}`,
  };
}

/** Lines for a page that shows one of these pages in itself. */
export const frameOf = (url: string, title: string): string =>
  `<iframe src="${url}" title="${title}" loading="lazy"
  style="width: 100%; height: 800px; border: 0"></iframe>`;

/** Lines that open the banner's settings from a link of the site, and when somebody comes for them. */
export const OPEN_SETTINGS = `<a href="#privacy-settings">Privacy settings</a>
<script>
  (function open() {
    if (location.hash === '#privacy-settings') {
      (window.Avow = window.Avow || []).push(['show', 'settings']);
      history.replaceState(null, '', location.pathname + location.search);
    }
    addEventListener('hashchange', open, { once: true });
  })();
</script>`;
