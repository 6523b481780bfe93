import { darkColours } from '../banner/colours';
import type { Banner, BannerColours } from '../types';

/** What a page needs of the banner to look like it. */
export type Look = Pick<Banner, 'theme' | 'colours' | 'dark_colours'>;

const LAYOUT = `
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere}
main,footer,header{max-width:760px;margin:0 auto}
header{margin-bottom:24px}
h1{margin:0 0 16px;font-size:24px;line-height:1.3;hyphens:auto}
h2{margin:32px 0 8px;font-size:18px;line-height:1.4}
p,form,ul,dl,table,blockquote{margin:0 0 16px;padding:0}
ul{padding-inline-start:20px}
a{color:inherit}
.site{margin:0 0 4px;font-weight:600}
.tag{font-size:14px;font-weight:400}
.langs{display:flex;flex-wrap:wrap;gap:4px 12px;margin:0;padding:0;font-size:14px;list-style:none}
.langs a{display:inline-block;padding:4px 0}
[aria-current]{font-weight:600;text-decoration:none}
footer{margin-top:32px;font-size:14px}
footer a{display:inline-block;margin-inline-end:16px;padding:4px 0}
label{display:block;margin:0 0 4px;font-weight:600}
input,select,textarea{display:block;width:100%;padding:10px 12px;border:1px solid var(--text);border-radius:6px;background:var(--ground);color:var(--text);font:inherit}
[aria-invalid=true]{border-width:2px}
.error{margin:4px 0 0;font-weight:600}
.alert{padding:12px 16px;border:2px solid var(--text);border-radius:6px;font-weight:600}
.trap{position:absolute;inset-inline-start:-9999px}
.act,button{display:inline-block;padding:12px 20px;border:0;border-radius:6px;background:var(--act);color:var(--on);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
dt{font-weight:600}
dd{margin:0 0 8px}
blockquote{padding:0 16px;border-inline-start:3px solid var(--text)}
table{width:100%;border-collapse:collapse;table-layout:fixed}
th{overflow-wrap:normal}
th:nth-child(-n+2){width:32%}
th,td{padding:8px 0;padding-inline-end:12px;border-bottom:1px solid var(--text);text-align:start;vertical-align:top}
td small{display:block;font-size:14px}
@media (max-width:600px){
thead{position:absolute;inset-inline-start:-9999px}
table,tbody,tr,td{display:block;width:100%}
tr{padding:8px 0;border-bottom:1px solid var(--text)}
td{padding:2px 0;border:0}
td[data-label]::before{content:attr(data-label) ': ';font-weight:600}
}`;

const HEX = /^#[0-9a-f]{6}$/i;

/** Settings of long ago may hold what the contract no longer takes: it must not end a declaration. */
const colour = (given: string, otherwise: string): string => (HEX.test(given) ? given : otherwise);

const variables = (colours: BannerColours): string =>
  [
    `--ground:${colour(colours.background, '#ffffff')}`,
    `--text:${colour(colours.text, '#1c2330')}`,
    `--act:${colour(colours.button_background, '#1f4fbf')}`,
    `--on:${colour(colours.button_text, '#ffffff')}`,
  ].join(';');

/** The style sheet of a site's public pages, in the colours of its banner. */
export function styleOf({ theme, colours, dark_colours }: Look): string {
  const light = variables(colours);
  const dark = variables(dark_colours ?? darkColours(colours));
  if (theme === 'light') return `:root{color-scheme:light;${light}}${LAYOUT}`;
  if (theme === 'dark') return `:root{color-scheme:dark;${dark}}${LAYOUT}`;
  return `:root{color-scheme:light dark;${light}}@media (prefers-color-scheme:dark){:root{${dark}}}${LAYOUT}`;
}
