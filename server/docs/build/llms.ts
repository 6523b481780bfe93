import { hrefOf, type Page, type Site, tagPath } from './site';

/**
 * The index for programs that read documentation (llmstxt.org): all pages as Markdown, each with a line about
 * it.
 */
export function llmsIndex({ guides, tags }: Site): string {
  const line = (title: string, path: string, text: string) =>
    `- [${title}](${hrefOf(path)}.md): ${text.replaceAll('\n', ' ')}`;
  return [
    '# Avow',
    '> Self-hosted consent management: consent records as evidence (GDPR Art. 7(1)), data-subject requests and breach records with their legal deadlines, signed webhooks. One process, one PostgreSQL, an OpenAPI 3.1 contract and a typed SDK (@avow/sdk).',
    'Every JSON answer under /api is {status, data, message}. Visitor endpoints are public and addressed by the token of a site (env_…); owner endpoints take a bearer token: an API key (avow_…), or a token from POST /api/auth/console. Everything in one file: /docs/llms-full.txt. The contract: /openapi.json.',
    `## Guides\n\n${guides.map(({ title, name, description }) => line(title, `guides/${name}`, description)).join('\n')}`,
    `## API reference\n\n${tags.map((tag) => line(tag.name, tagPath(tag), `${tag.description} Operations: ${tag.operations.map(({ id }) => id).join(', ')}.`)).join('\n')}`,
    `## Events and errors\n\n${line('Webhook events', 'webhooks', 'Payloads, headers and signatures.')}\n${line('Errors', 'errors', 'The error envelope, every code, and what to do.')}`,
  ].join('\n\n');
}

export const llmsFull = (pages: readonly Page[]): string =>
  `${pages.map(({ markdown }) => markdown.trim()).join('\n\n---\n\n')}\n`;
