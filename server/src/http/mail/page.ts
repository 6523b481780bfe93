import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { escapeHtml } from '../../domain/html';

const STYLE = `
:root{color-scheme:light dark;--text:#1c2330;--soft:#586174;--ground:#f3f5f8;--sheet:#fff;--line:#8a94a6;--act:#1f4fbf;--on:#fff}
@media (prefers-color-scheme:dark){:root{--text:#e8ecf3;--soft:#aab3c2;--ground:#12161d;--sheet:#1b212b;--line:#6b7688;--act:#8fb0ff;--on:#0d1524}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1,p,label{overflow-wrap:anywhere}
main{max-width:560px;margin:0 auto;padding:28px 24px 12px;background:var(--sheet);border-radius:8px}
h1{margin:0 0 16px;font-size:20px;line-height:1.4}
p,form,ul{margin:0 0 16px;padding:0}
li{list-style:none;margin:0 0 16px}
label{display:block;margin:0 0 4px}
legend{padding:0 4px;font-weight:600}
fieldset{margin:0 0 16px;padding:12px 16px;border:1px solid var(--line);border-radius:6px}
fieldset label{display:inline-block;margin:0 16px 0 0}
input[type=text]{width:100%;max-width:240px;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:var(--sheet);color:var(--text);font:inherit}
button{padding:12px 20px;border:0;border-radius:6px;background:var(--act);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
form+form button{background:none;color:var(--act);box-shadow:inset 0 0 0 1px var(--act)}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.soft{color:var(--soft)}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing runs, loads, frames it, or learns its address, which is a secret of whoever got the mail. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A page is asked for, or a form of it is sent. */
export interface Asked {
  request: Request;
  fields: ReadonlyMap<string, string> | undefined;
}

/** A page of a few words; `body` is HTML whose texts are escaped. */
export interface MailPage {
  status?: number;
  language: string;
  rtl?: boolean;
  title: string;
  body: string;
}

export const text = (words: string, soft = false): string =>
  `<p${soft ? ' class="soft"' : ''}>${escapeHtml(words)}</p>`;

/** A form that is sent to the page's own address; `about` tells its button from others with the same label. */
export const form = (fields: string, label: string, about = ''): string => {
  const name = about === '' ? '' : ` aria-label="${escapeHtml(`${label}: ${about}`)}"`;
  return `<form method="post">${fields}<button type="submit"${name}>${escapeHtml(label)}</button></form>`;
};

export const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

export function sendPage(
  response: Response,
  { status = 200, language, rtl = false, title, body }: MailPage,
): void {
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${rtl ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`;
  response.status(status).set(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
}
