import { html, prose } from '../html';
import { hrefOf, type Page, type Site, tagPath } from '../site';
import { methodBadge } from './reference';

/** All operations on one page, by tag. */
export function overviewPage({ tags }: Site): Page {
  const count = tags.reduce((sum, { operations }) => sum + operations.length, 0);
  const description = `${count} operations, described by one OpenAPI 3.1 contract that the server itself is checked against.`;
  return {
    path: 'api',
    title: 'API reference',
    description,
    headings: tags.map(({ name, slug }) => ({ level: 2, id: slug, title: name })),
    findings: [],
    markdown: [
      '# API reference',
      description,
      ...tags.map(
        (tag) =>
          `## ${tag.name}\n\n${tag.description}\n\n${tag.operations.map(({ id, method, path }) => `- [${id}](${hrefOf(tagPath(tag))}#${id}): ${method} ${path}`).join('\n')}`,
      ),
    ].join('\n\n'),
    body: html`<p class="kicker">API reference</p>
<h1>All operations</h1>
<p class="lead">${description}</p>
<ul class="facts">
<li><strong>Envelope</strong> Every JSON answer is <code>{status, data, message}</code>.</li>
<li><strong>Login</strong> <a href="/docs/api/account#login">login</a> gives a bearer token for 12 hours. Visitor and public operations need none.</li>
<li><strong>Lists</strong> <code>limit</code> and <code>cursor</code>; <code>next_cursor</code> is null on the last page.</li>
<li><strong>Idempotency</strong> Operations that create something take an <code>Idempotency-Key</code>.</li>
<li><strong>Contract</strong> <a href="/openapi.yaml">openapi.yaml</a> or <a href="/openapi.json">openapi.json</a>, for generators of your own.</li>
</ul>
${tags.map(
  (
    tag,
  ) => html`<h2 id="${tag.slug}"><a href="${hrefOf(tagPath(tag))}">${tag.name}</a> <a class="anchor" href="#${tag.slug}" aria-label="Link to ${tag.name}">#</a></h2>
<p>${prose(tag.description)}</p>
<ul class="operations">${tag.operations.map(({ id, method, path, description: text }) => html`<li>${methodBadge(method)} <span><a href="${hrefOf(tagPath(tag))}#${id}">${id}</a> <code>${path}</code><br><span class="muted">${prose(text.split(/(?<=[.:])\s/)[0] ?? '')}</span></span></li>`)}</ul>`,
)}`,
  };
}
