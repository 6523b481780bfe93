import css from '../../styles/debug.css';
import { doc } from '../document.js';
import { focused, h, styled } from '../dom.js';
import { collect } from './collect.js';
import type { Report } from './report.js';
import { factsOf, notesOf, purposeIn, saysOf, timeLineOf } from './words.js';

/** Rows of one table: a page may load thousands of things. */
const ROWS = 1_000;
/** Milliseconds between two drawings: while a page loads, there is more to see all the time. */
const PACE = 300;

let dialog: HTMLDialogElement | undefined;
let host: HTMLElement;
let content: HTMLElement;
let live: HTMLElement;
let copied: HTMLTextAreaElement;
let opener: HTMLElement | null = null;
let waits = false;

/** Draws again soon, if the panel is open. */
export function refresh(): void {
  if (waits || !dialog?.open) return;
  waits = true;
  setTimeout(() => {
    waits = false;
    draw();
  }, PACE);
}

/** Opens the panel, or moves the focus to it. */
export function show(): void {
  if (!dialog) make();
  const panel = dialog as HTMLDialogElement;
  if (!panel.open) opener = focused();
  if (!host.isConnected) doc.body.append(host);
  panel.close();
  host.hidePopover?.();
  host.showPopover?.();
  panel.show();
  draw();
  // Behind a modal dialog of the page, or of the banner, only another one can be used.
  if (doc.querySelector('dialog:modal') || isCovered(panel)) {
    panel.close();
    panel.showModal();
  }
  panel.focus();
}

function isCovered(panel: HTMLElement): boolean {
  const { left, top } = panel.getBoundingClientRect();
  return doc.elementFromPoint(left + 20, top + 20) !== host;
}

function make(): void {
  host = h('avow-debug' as 'div', { popover: 'manual' });
  const root = host.attachShadow({ mode: 'open' });
  styled(root, css);
  content = h('div', { class: 'content', tabindex: '0', role: 'region', 'aria-label': 'What was found' });
  live = h('p', { role: 'status' });
  copied = h('textarea', { readonly: '', 'aria-label': 'Report', rows: '6' });
  copied.hidden = true;
  dialog = h(
    'dialog',
    { 'aria-labelledby': 'title', tabindex: '-1', lang: 'en', dir: 'ltr', keydown: onKey, close: closed },
    h(
      'header',
      {},
      h('h2', { id: 'title' }, 'Avow diagnostics'),
      h('button', { type: 'button', click: () => void dialog?.classList.toggle('top') }, 'Move'),
      h('button', { type: 'button', click: draw }, 'Refresh'),
      h('button', { type: 'button', click: () => void copy() }, 'Copy report'),
      h('button', { type: 'button', click: close }, 'Close'),
    ),
    live,
    copied,
    content,
  );
  root.append(dialog);
  // Not over the banner, which somebody wants to press while they look.
  const banner = doc.querySelector('avow-banner')?.shadowRoot?.querySelector('dialog');
  const { top = 0, bottom = 0 } = banner?.getBoundingClientRect() ?? {};
  dialog.classList.toggle('top', top + bottom > innerHeight);
}

function onKey(event: Event): void {
  // What the page listens for is none of the panel's keys.
  event.stopPropagation();
  if ((event as KeyboardEvent).key !== 'Escape') return;
  event.preventDefault();
  close();
}

const close = (): void => dialog?.close();

function closed(): void {
  if (dialog?.open) return;
  host.hidePopover?.();
  opener?.focus();
}

async function copy(): Promise<void> {
  const report = JSON.stringify(collect(refresh));
  try {
    await navigator.clipboard.writeText(report);
    copied.hidden = true;
    live.textContent = 'Copied. Paste it in the console under Diagnostics.';
  } catch {
    // Without TLS, or where the page's policy forbids it.
    copied.value = report;
    copied.hidden = false;
    copied.select();
    live.textContent = 'The browser does not let this page copy: copy the selected text.';
  }
}

function draw(): void {
  const report = collect(refresh);
  content.replaceChildren(
    ...part('Now', facts(report)),
    ...part('Look at', notes(report)),
    ...part('What was loaded, under which state', timeLine(report)),
    ...part(
      'Waiting now',
      table(
        ['Kind', 'Address', 'Waits for'],
        report.held.map((one) => ({ cells: [one.kind, one.url || 'inline', purposeIn(one)] })),
      ),
    ),
    ...part(
      'Google Consent Mode and events, in the order of the data layer',
      table(
        ['No.', 'Entry', 'Says'],
        report.layer.map((one) => ({ cells: [String(one.n), one.what, saysOf(one)] })),
      ),
    ),
    ...part(
      'Other signals',
      table(
        ['To', 'What'],
        report.signals.map(({ to, what }) => ({ cells: [to, what] })),
      ),
    ),
  );
}

const part = (title: string, body: HTMLElement): HTMLElement[] => [h('h3', {}, title), body];

const facts = (report: Report): HTMLElement =>
  h('dl', {}, ...factsOf(report).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));

function notes(report: Report): HTMLElement {
  const found = notesOf(report);
  return h('ul', {}, ...(found.length > 0 ? found : ['Nothing']).map((one) => h('li', {}, one)));
}

function timeLine(report: Report): HTMLElement {
  const rows = timeLineOf(report, ROWS);
  const left = report.states.length + report.loads.length - rows.length;
  return table(
    ['Time', 'What', 'Address', 'Category', 'State'],
    rows.map(({ ms, what, about, purpose, verdict, mark }) => ({
      cells: [`${Math.round(ms)} ms`, what, about, purpose, verdict],
      mark,
    })),
    left,
  );
}

interface Row {
  cells: string[];
  mark?: string | undefined;
}

function table(titles: string[], rows: readonly Row[], left = Math.max(rows.length - ROWS, 0)): HTMLElement {
  if (rows.length === 0) return h('p', {}, 'Nothing');
  const made = h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...titles.map((title) => h('th', { scope: 'col' }, title)))),
    h(
      'tbody',
      {},
      ...rows
        .slice(0, ROWS)
        .map(({ cells, mark }) => h('tr', { class: mark }, ...cells.map((cell) => h('td', {}, cell)))),
    ),
  );
  return left === 0 ? made : h('div', {}, made, h('p', {}, `${left} more are in the report.`));
}
