import MiniSearch, { type SearchResult } from 'minisearch';
import { load, make } from './dom';

const KINDS: Record<string, string> = {
  guide: 'Guide',
  operation: 'API',
  field: 'Field',
  event: 'Event',
  error: 'Error',
};
/** Guides rank higher, because they explain more than a field with the same word. */
const WEIGHTS: Record<string, number> = { guide: 1.6, event: 1.5, error: 1.2, operation: 1.2, field: 0.4 };
const SHOWN = 12;

let index: MiniSearch | undefined;
let parts:
  | { dialog: HTMLDialogElement; input: HTMLInputElement; list: HTMLElement; note: HTMLElement }
  | undefined;

/** Opens the search. The first call builds it and loads the index. */
export async function showSearch(): Promise<void> {
  parts ??= build();
  if (parts.dialog.open) return;
  parts.dialog.showModal();
  parts.input.select();
  try {
    index ??= MiniSearch.loadJSON(await load(document.documentElement.dataset.search ?? ''), {
      // The options of server/docs/build/search-index.ts.
      fields: ['title', 'words', 'place', 'text'],
      storeFields: ['kind', 'title', 'place', 'href'],
    });
    search();
  } catch {
    parts.note.textContent = 'The index could not be loaded: the server does not answer.';
  }
}

function build() {
  const input = make('input', {
    type: 'text',
    id: 'search-input',
    enterkeyhint: 'search',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    placeholder: 'Operations, fields, events, guides …',
  });
  const list = make('div', {
    role: 'listbox',
    id: 'search-results',
    'aria-label': 'Found',
    class: 'results',
  });
  const note = make('p', { class: 'search-note', role: 'status' });
  const close = make('button', { type: 'button', class: 'quiet' }, 'Close');
  const dialog = make(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    make('div', { class: 'search-bar' }, input, close),
    list,
    note,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  input.addEventListener('input', search);
  input.addEventListener('keydown', move);
  document.body.append(dialog);
  return { dialog, input, list, note };
}

function search(): void {
  if (parts === undefined || index === undefined) return;
  const { input, list, note } = parts;
  const found = find(input.value.trim());
  const rows = found.slice(0, SHOWN).map(row);
  list.replaceChildren(...rows);
  input.setAttribute('aria-expanded', String(rows.length > 0));
  point(rows[0]);
  if (input.value.trim() === '')
    note.textContent = 'Type what you look for. Arrow keys choose, Enter opens, Escape closes.';
  else
    note.textContent =
      found.length === 0
        ? `Nothing is called “${input.value.trim()}”.`
        : `${Math.min(found.length, SHOWN)} of ${found.length} found`;
}

/** Small words of a question: they find everything. */
const SMALL = new Set([
  'a',
  'an',
  'and',
  'do',
  'for',
  'how',
  'i',
  'in',
  'is',
  'my',
  'of',
  'the',
  'to',
  'with',
]);

/** What has all words; else what has any of them that is not small. */
const find = (query: string): SearchResult[] => {
  const all = findWords(query, 'AND');
  if (all.length > 0) return all;
  const words = query.split(/\s+/).filter((word) => !SMALL.has(word.toLowerCase()));
  return findWords(words.join(' '), 'OR');
};

/** Names rank higher than texts, and operations higher than their fields. */
const findWords = (query: string, combineWith: 'AND' | 'OR'): SearchResult[] =>
  index === undefined || query === ''
    ? []
    : index.search(query, {
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        combineWith,
        boost: { title: 4, words: 3, place: 1.5 },
        boostDocument: (_id, _term, fields) => WEIGHTS[String(fields?.kind)] ?? 1,
      });

function row(result: SearchResult, number: number): HTMLElement {
  const kind = KINDS[result.kind] ?? '';
  const option = make(
    'a',
    { role: 'option', id: `found-${number}`, href: result.href, tabindex: -1, 'aria-selected': 'false' },
    make('span', { class: `kind k-${result.kind}` }, kind),
    make('span', { class: 'found' }, make('strong', {}, result.title), ' ', make('small', {}, result.place)),
  );
  option.addEventListener('pointermove', () => point(option));
  option.addEventListener('click', () => parts?.dialog.close());
  return option;
}

function point(option: Element | undefined): void {
  if (parts === undefined) return;
  for (const other of parts.list.children) other.setAttribute('aria-selected', String(other === option));
  if (option === undefined) parts.input.removeAttribute('aria-activedescendant');
  else parts.input.setAttribute('aria-activedescendant', option.id);
}

function move(event: KeyboardEvent): void {
  if (parts === undefined) return;
  const options = [...parts.list.children] as HTMLElement[];
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && options.length > 0) {
    const next = options[(at + step + options.length) % options.length];
    point(next);
    next?.scrollIntoView({ block: 'nearest' });
    event.preventDefault();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    options[at]?.click();
  }
}
