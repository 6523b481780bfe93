import { codeBlock, codeTabs } from '../code';
import type { WebhookEvent } from '../events';
import { type Html, html, prose } from '../html';
import { fieldTree, type OnField } from '../schema-view';
import { eventAnchor, type Finding, hrefOf, type Page, type Site } from '../site';
import { eventMarkdown } from './markdown';

const RECEIVER = `import { verifyWebhook, WebhookVerificationError } from '@avow/sdk/webhooks';

export async function receive(request: Request): Promise<Response> {
  try {
    const secret = process.env.AVOW_WEBHOOK_SECRET ?? '';
    const event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret);
    console.log(event.event, event.environment);
    return new Response('ok');
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 401 });
  }
}`;

const BY_HAND = `# The signature of a body as it arrived, to be compared with the header X-Service-Signature
printf 'sha256=%s\\n' "$(openssl dgst -sha256 -hmac "$AVOW_WEBHOOK_SECRET" -r < body.json | cut -d' ' -f1)"`;

/** The contract's webhooks section: what is sent, when, and how a receiver knows that it is genuine. */
export function webhooksPage({ events, guides }: Site): Page {
  const path = 'webhooks';
  const description = 'What Avow sends to your systems, when, and how they know that it is genuine.';
  const findings: Finding[] = events.map((event) => ({
    kind: 'event',
    title: event.name,
    place: 'Webhook events',
    href: `${hrefOf(path)}#${eventAnchor(event.name)}`,
    text: event.description,
  }));
  const onField =
    (event: WebhookEvent): OnField =>
    ({ name, anchor, description: text }) => {
      findings.push({
        kind: 'field',
        title: name,
        place: `${event.name} · ${anchor.split('.').slice(1).join('.')}`,
        href: `${hrefOf(path)}#${anchor}`,
        text,
      });
    };
  const guide = guides.find(({ name }) => name === 'webhooks');
  const headers = events[0]?.headers ?? [];
  return {
    path,
    title: 'Webhook events',
    description,
    wide: true,
    headings: [
      { level: 2, id: 'delivery', title: 'Delivery' },
      { level: 2, id: 'headers', title: 'Headers' },
      ...events.map(({ name }) => ({ level: 2, id: eventAnchor(name), title: name })),
    ],
    findings,
    markdown: [
      '# Webhook events',
      description,
      '## Headers',
      headers.map(({ name, description: text }) => `- \`${name}\`: ${text}`).join('\n'),
      ...events.map(eventMarkdown),
    ].join('\n\n'),
    body: html`<p class="kicker">Reference</p>
<h1>Webhook events</h1>
<p class="lead">${description}</p>
<section class="operation"><div class="about">
<h2 id="delivery">Delivery <a class="anchor" href="#delivery" aria-label="Link to Delivery">#</a></h2>
<p>Create a webhook with <a href="/docs/api/webhooks#createWebhook">createWebhook</a> for some events or for all, and keep the secret that it shows once. Every event is sent with its payload as JSON and a signature over the bytes of the body. An answer of 2xx within 15 seconds counts as delivered; anything else is tried again, and five failed deliveries in a row disable the webhook until somebody <a href="/docs/api/webhooks#reactivateWebhook">reactivates</a> it. What was missed can be read again with <a href="/docs/api/webhooks#listEvents">listEvents</a>.</p>
${answers(events[0])}
${guide && html`<p>Step by step: <a href="/docs/guides/${guide.name}">${guide.title}</a>.</p>`}
</div><div class="beside"><div class="sticky">${codeTabs([
      { title: 'SDK', language: 'ts', code: RECEIVER },
      { title: 'By hand', language: 'sh', code: BY_HAND },
    ])}</div></div></section>
<section class="operation"><div class="about">
<h2 id="headers">Headers <a class="anchor" href="#headers" aria-label="Link to Headers">#</a></h2>
<p>The same on every event. Compare signatures in constant time, over the body as it arrived: parse it afterwards.</p>
<ul class="fields">${headers.map(headerRow)}</ul>
</div><div class="beside"></div></section>
${events.map((event) => eventSection(event, onField(event)))}`,
  };
}

const headerRow = ({ name, required, description }: WebhookEvent['headers'][number]): Html =>
  html`<li class="field" id="header.${name}"><div class="field-head"><a class="field-name" href="#header.${name}"><code>${name}</code></a> <span class="type">string</span>${required && html` <span class="required">always</span>`}</div><p>${prose(description)}</p></li>`;

const answers = (event: WebhookEvent | undefined): Html | undefined =>
  event &&
  html`<ul class="error-list">${event.answers.map(({ status, description }) => html`<li><span class="status s${status[0]}">${status}</span> <span>${description}</span></li>`)}</ul>`;

function eventSection(event: WebhookEvent, onField: OnField): Html {
  const id = eventAnchor(event.name);
  return html`<section class="operation"><div class="about">
<h2 id="${id}">${event.name} <a class="anchor" href="#${id}" aria-label="Link to ${event.name}">#</a></h2>
<p>${prose(event.description)}</p>
<h3>Payload<span class="visually-hidden"> of ${event.name}</span></h3>
${fieldTree(event.schema, { anchor: id, example: event.example, written: false, shown: new Map(), onField })}
</div><div class="beside"><div class="sticky">${event.example !== undefined && codeBlock(JSON.stringify(event.example, null, 2), 'json', event.name)}</div></div></section>`;
}
