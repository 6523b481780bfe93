import { highlight } from './highlight';
import { type Html, html, raw } from './html';

const NAMES: Record<string, string> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  html: 'HTML',
  py: 'Python',
  python: 'Python',
  sql: 'SQL',
  yaml: 'YAML',
  http: 'HTTP',
};

/** The address in samples; a script replaces it by that of the server that serves the page. */
export const ORIGIN = 'http://localhost:8080';

/** A block of code that can be copied and, when it is wide, scrolled by keyboard. */
export function codeBlock(code: string, language: string, title = NAMES[language] ?? language): Html {
  const marked = highlight(code.trimEnd(), language).replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`);
  return html`<div class="code"><div class="code-head"><span>${title}</span></div><pre tabindex="0"><code>${raw(marked)}</code></pre></div>`;
}

/** One sample in several languages: one below the other, or as tabs if scripts run. */
export const codeTabs = (samples: { title: string; language: string; code: string }[]): Html =>
  html`<div class="samples">${samples.map(({ title, language, code }) => codeBlock(code, language, title))}</div>`;
