import { type Html, html, raw } from './html';
import { type Heading, hrefOf, type Page, type Site, tagPath } from './site';

export interface Assets {
  style: string;
  script: string;
  theme: string;
  icon: string;
  /** The search index and the operations' forms, which scripts fetch when they need them. */
  search: string;
  operations: string;
}

interface Link {
  path: string;
  title: string;
}

interface Frame {
  site: Site;
  assets: Assets;
  /** All pages in reading order. */
  order: Link[];
}

/** Groups of the navigation, in reading order. */
export function navigation(site: Site): { title: string; links: Link[] }[] {
  return [
    {
      title: 'Guides',
      links: [
        { path: '', title: 'Overview' },
        ...site.guides.map(({ name, title }) => ({ path: `guides/${name}`, title })),
      ],
    },
    {
      title: 'API reference',
      links: [
        { path: 'api', title: 'All operations' },
        ...site.tags.map((tag) => ({ path: tagPath(tag), title: tag.name })),
      ],
    },
    {
      title: 'Events and errors',
      links: [
        { path: 'webhooks', title: 'Webhook events' },
        { path: 'errors', title: 'Errors' },
      ],
    },
  ];
}

/** A whole document: head, navigation, the page itself, and the link to the next page. */
export function frame(page: Page, { site, assets, order }: Frame): string {
  const title = page.path === '' ? 'Avow documentation' : `${page.title} · Avow documentation`;
  return `<!doctype html>\n${
    html`<html lang="en" data-search="${assets.search}" data-operations="${assets.operations}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
${page.markdown !== '' && html`<link rel="alternate" type="text/markdown" href="${hrefOf(page.path || 'index')}.md">`}
</head>
<body${page.wide && raw(' class="wide"')}>
<a class="skip" href="#main">Skip to the text</a>
${header(site, page)}
<div class="shell">
${sidebar(site, page)}
<main id="main" tabindex="-1">
<article>
${page.body}
</article>
${pager(page, order)}
${footer(site, page)}
</main>
${!page.wide && contents(page.headings)}
</div>
</body>
</html>`.text
  }\n`;
}

const LOGO = raw(
  '<svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="m6.5 12.5 3.6 3.6 7.4-8.2"/></svg>',
);

function header({ guides }: Site, { path }: Page): Html {
  const link = (to: string, title: string, here: boolean) =>
    html`<a href="${hrefOf(to)}"${here && raw(' aria-current="true"')}>${title}</a>`;
  const first = guides[0];
  return html`<header class="top">
<a class="brand" href="/docs/">${LOGO}<span>Avow <span class="brand-part">docs</span></span></a>
<nav class="sections" aria-label="Sections">${first && link(`guides/${first.name}`, 'Guides', path.startsWith('guides/'))}${link('api', 'API', path.startsWith('api'))}${link('webhooks', 'Webhooks', path === 'webhooks')}${link('errors', 'Errors', path === 'errors')}</nav>
<div class="tools"><button type="button" class="search-open needs-script" aria-keyshortcuts="Control+K Meta+K /"><svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true"><circle cx="9" cy="9" r="6"/><path d="m14 14 4 4"/></svg><span>Search</span><kbd aria-hidden="true">/</kbd></button>
<button type="button" class="theme needs-script" aria-label="Dark colours" aria-pressed="false"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M10 2.5a7.5 7.5 0 1 0 7.5 7.5A5.8 5.8 0 0 1 10 2.5Z"/></svg></button>
<a class="menu" href="#navigation">Menu</a></div>
</header>`;
}

function sidebar(site: Site, page: Page): Html {
  return html`<nav class="side" id="navigation" aria-label="Pages">
<a class="menu-close" href="#main">Close</a>
${navigation(site).map(
  ({ title, links }) =>
    html`<p class="side-title">${title}</p><ul>${links.map(
      (link) =>
        html`<li><a href="${hrefOf(link.path)}"${link.path === page.path && raw(' aria-current="page"')}>${link.title}</a>${link.path === page.path && page.wide && below(page.headings)}</li>`,
    )}</ul>`,
)}
</nav>`;
}

/** The operations of the current page. */
function below(headings: Heading[]): Html | false {
  const seconds = headings.filter(({ level }) => level === 2);
  if (seconds.length < 2) return false;
  return html`<ul class="below">${seconds.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
}

function contents(headings: Heading[]): Html | false {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return false;
  return html`<nav class="contents" aria-label="On this page"><p class="side-title">On this page</p><ul>${shown.map(({ id, title, level }) => html`<li class="level-${level}"><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
}

function pager(page: Page, order: Link[]): Html | false {
  const at = order.findIndex(({ path }) => path === page.path);
  if (at === -1) return false;
  const [before, after] = [order[at - 1], order[at + 1]];
  return html`<nav class="pager" aria-label="Previous and next page">${before ? html`<a rel="prev" href="${hrefOf(before.path)}"><span>Previous</span> ${before.title}</a>` : html`<span></span>`}${after && html`<a rel="next" href="${hrefOf(after.path)}"><span>Next</span> ${after.title}</a>`}</nav>`;
}

const footer = ({ version }: Site, { path, markdown }: Page): Html =>
  html`<footer><p>Avow ${version} · <a href="/openapi.yaml">openapi.yaml</a> · <a href="/openapi.json">openapi.json</a> · <a href="/docs/llms.txt">llms.txt</a>${markdown !== '' && html` · <a href="${hrefOf(path || 'index')}.md">this page as Markdown</a>`}</p></footer>`;
