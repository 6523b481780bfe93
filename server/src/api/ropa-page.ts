import { ROPA_COLUMNS } from '../domain/ropa';
import type { Ropa } from '../domain/types';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
  section { break-inside: avoid; border-top: 2px solid; padding-top: .5rem; margin-top: 2rem; }
  dl { display: grid; grid-template-columns: minmax(10rem, 1fr) 3fr; gap: .25rem 1rem; }
  dt { font-weight: 600; } dd { margin: 0; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
  @media print { body { margin: 0; max-width: none; } }`;

/** What the article asks for is not passed over in silence. */
const missing = (title: string): string => (/\([a-g]\)$/.test(title) ? 'not recorded' : '');

/** The records of processing as a page to read, print and hand to the supervisory authority (GDPR Art. 30(4)). */
export function ropaPage(ropa: Ropa): string {
  const entries = ropa.entries.map((entry) => {
    const lines = ROPA_COLUMNS.slice(1)
      .map(({ title, of }) => ({ title, text: of(ropa, entry) || missing(title) }))
      .filter(({ text }) => text !== '')
      .map(({ title, text }) => `<dt>${escapeHtml(title)}</dt><dd>${escapeHtml(text)}</dd>`);
    return `<section><h2>${escapeHtml(entry.name)}</h2><dl>${lines.join('')}</dl></section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Records of processing: ${escapeHtml(ropa.site)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Records of processing activities</h1>
<p>${escapeHtml(ropa.site)}, ${escapeHtml(ropa.url)}. GDPR Art. 30. As of ${escapeHtml(ropa.generated_at)} (UTC). Letters name the points of Art. 30(1).</p>
${entries.join('\n')}
</main>
</body>
</html>
`;
}
