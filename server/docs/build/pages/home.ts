import { codeTabs, ORIGIN } from '../code';
import { html } from '../html';
import { eventAnchor, type Page, type Site } from '../site';

const SESSION = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';

const SNIPPET = `<script>(function(e){…})(true)</script>
<script async src="${ORIGIN}/api/bundles/env_….js"></script>`;

const SAMPLES = [
  {
    title: 'curl',
    language: 'sh',
    code: `# $SITE is the token of your site, env_…
curl -X POST "${ORIGIN}/api/consents/$SITE/log" \\
  -H 'Content-Type: application/json' \\
  -d '{"session_id":"${SESSION}","decision":"accept_all"}'

# What did this visitor decide?
curl "${ORIGIN}/api/preferences/$SITE?session_id=${SESSION}"`,
  },
  {
    title: 'SDK',
    language: 'ts',
    code: `import { createAvow } from '@avow/sdk';

const avow = createAvow({ baseUrl: '${ORIGIN}' });
const consent = await avow.logConsent({
  token: 'env_…',
  body: { session_id: crypto.randomUUID(), decision: 'accept_all' },
});
console.log(consent.consent_id, consent.recorded_at);`,
  },
  {
    title: 'Banner',
    language: 'html',
    code: `<!-- as generateBundle answers it, ahead of every other script -->
${SNIPPET}

<!-- what must wait for a choice -->
<script type="text/plain" data-category="analytics" data-src="/analytics.js"></script>`,
  },
];

export function homePage({ guides, tags, events }: Site): Page {
  const description =
    'Consent records as evidence, data-subject requests and breaches with their deadlines, and signed webhooks: self-hosted, with an OpenAPI contract and a typed SDK.';
  const first = guides[0];
  return {
    path: '',
    title: 'Overview',
    description,
    wide: true,
    headings: [],
    findings: [],
    markdown: [
      '# Avow',
      description,
      '## Guides',
      guides
        .map(({ title, name, description: text }) => `- [${title}](/docs/guides/${name}): ${text}`)
        .join('\n'),
    ].join('\n\n'),
    body: html`<div class="hero"><div>
<p class="kicker">Documentation</p>
<h1>Prove every consent</h1>
<p class="lead">Avow keeps what visitors of your websites decide as evidence, takes data-subject requests and breach records with their legal deadlines, and tells your systems by signed webhooks. It runs on your own server: one process, one PostgreSQL.</p>
<p class="actions">${first && html`<a class="button" href="/docs/guides/${first.name}">${first.title}</a>`}<a class="button quiet" href="/docs/api">API reference</a></p>
</div>${codeTabs(SAMPLES)}</div>
<h2 id="guides">Guides</h2>
<ul class="cards">${guides.map(({ name, title, description: text }) => html`<li><a href="/docs/guides/${name}">${title}</a><p>${text}</p></li>`)}</ul>
<h2 id="reference">API reference</h2>
<ul class="cards small">${tags.map(({ name, slug, description: text, operations }) => html`<li><a href="/docs/api/${slug}">${name}</a><p>${text}</p><p class="muted">${operations.length} operations</p></li>`)}</ul>
<h2 id="events">Webhook events</h2>
<ul class="event-list">${events.map(({ name, description: text }) => html`<li><a href="/docs/webhooks#${eventAnchor(name)}"><code>${name}</code></a> <span class="muted">${text.split('. ')[0]}.</span></li>`)}</ul>`,
  };
}
