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

/**
 * Where samples send their requests; a script puts the address of the server that is being read in its place.
 */
export const ORIGIN = 'http://localhost:8080';

/** A block of code that can be copied and, when it is wide, scrolled by keyboard. */
export function codeBlock(code: string, language: string, title = NAMES[language] ?? language): Html {
  const marked = highlight(code.trimEnd(), language).replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`);
  return html`<div class="code"><div class="code-head"><span>${title}</span></div><pre tabindex="0"><code>${raw(marked)}</code></pre></div>`;
}

/** The same thing in several languages: one below the other, or as tabs where scripts run. */
export const codeTabs = (samples: { title: string; language: string; code: string }[]): Html =>
  html`<div class="samples">${samples.map(({ title, language, code }) => codeBlock(code, language, title))}</div>`;
