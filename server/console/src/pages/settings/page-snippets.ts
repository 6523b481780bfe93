/** What a site links to and embeds; `server` is where the site's script comes from, `token` the site's. */
export function pagesOf(server: string, token: string) {
  const url = (page: string): string => `${server}/pages/${token}/${page}`;
  return {
    request: url('request'),
    preferences: url('preferences'),
    switches: url('preferences/fragment'),
    cookies: url('cookies'),
    embed: `<script async src="${url('cookies/embed.js')}"></script>`,
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

/** Lines for a page of the site that shows the banner's settings in itself. */
export const switchesOf = (url: string): string => `<div id="privacy"></div>
<script type="module">
  const place = document.querySelector('#privacy');
  const answer = await fetch('${url}');
  if (!answer.ok) throw new Error(\`No switches: \${answer.status}\`);
  place.innerHTML = await answer.text();
  const status = place.querySelector('[role=status]');
  const switches = [...place.querySelectorAll('input:enabled')];
  const call = (...one) => (window.Avow = window.Avow || []).push(one);
  call('on', 'consent', ({ categories }) => {
    for (const one of switches) one.checked = categories[one.name];
  });
  place.addEventListener('submit', (event) => event.preventDefault());
  place.addEventListener('click', ({ target: { value, type } }) => {
    if (type !== 'button') return;
    const chosen = Object.fromEntries(switches.map(({ name, checked }) => [name, checked]));
    call(...(value === 'save' ? [value, chosen] : [value]));
    status.textContent = status.dataset.saved;
  });
</script>`;
