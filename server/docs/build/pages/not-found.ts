import { html } from '../html';
import type { Page } from '../site';

/** The page for an unknown address. */
export const notFoundPage = (): Page => ({
  path: '404',
  title: 'Page not found',
  description: 'There is no such page.',
  headings: [],
  findings: [],
  markdown: '',
  body: html`<p class="kicker">404</p>
<h1>There is no such page</h1>
<p class="lead">It may have been renamed with a newer version of Avow.</p>
<p class="actions"><a class="button" href="/docs/">To the overview</a><a class="button quiet" href="/docs/api">API reference</a></p>`,
});
