import { escapeHtml } from './html';
import { cellOf, ROPA_COLUMNS, type RopaParts } from './ropa';
import { slicesOf } from './text';
import type { RopaEntry } from './types';

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
  section { break-inside: avoid; border-top: 2px solid; padding-top: .5rem; margin-top: 2rem; }
  dl { display: grid; grid-template-columns: minmax(10rem, 1fr) 3fr; gap: .25rem 1rem; }
  dt { font-weight: 600; } dd { margin: 0; } a { color: inherit; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
  @media print { body { margin: 0; max-width: none; } }`;

/** Characters that are escaped at a time. */
const SLICE = 16_384;

/** A text of any length, in pieces. */
function* escaped(text: string): Generator<string> {
  for (const piece of slicesOf(text, SLICE)) yield escapeHtml(piece);
}

/** Addresses of this server become links. */
function* value(title: string, text: string): Generator<string> {
  const isLink = LINKS.has(title) && /^https?:\/\//.test(text);
  if (isLink) yield `<a href="${escapeHtml(text)}">`;
  yield* escaped(text);
  if (isLink) yield '</a>';
}
const LINKS = new Set(['Consent records', 'Breach register']);

function* section(ropa: RopaParts, entry: RopaEntry): Generator<string> {
  yield `<section><h2>${escapeHtml(entry.name)}</h2><dl>`;
  for (const column of ROPA_COLUMNS.slice(1)) {
    const text = cellOf(column, ropa, entry);
    if (text === '') continue;
    yield `<dt>${escapeHtml(column.title)}</dt><dd>`;
    yield* value(column.title, text);
    yield '</dd>';
  }
  yield '</dl></section>\n';
}

/**
 * The records of processing as a page to read, print and hand to the supervisory authority (GDPR Art. 30(4)),
 * in pieces.
 */
export function* ropaPage(ropa: RopaParts): Generator<string> {
  yield `<!doctype html>
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
`;
  for (const entry of ropa.entries) yield* section(ropa, entry);
  yield `</main>
</body>
</html>
`;
}
