import { make } from './dom';

const KEY = 'avow.docs.sample';
let count = 0;

/** Makes samples in several languages tabs (WAI-ARIA Authoring Practices, tabs with automatic activation). */
export function addTabs(): void {
  for (const group of document.querySelectorAll<HTMLElement>('.samples')) addGroup(group);
  const chosen = remembered();
  if (chosen !== null) chooseEverywhere(chosen);
}

function addGroup(group: HTMLElement): void {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > .code')];
  const list = make('div', { role: 'tablist', 'aria-label': 'Language of the sample', class: 'tab-list' });
  panels.forEach((panel, index) => {
    const title = panel.querySelector('.code-head span')?.textContent ?? '';
    count += 1;
    panel.id = `sample-${count}`;
    const tab = make(
      'button',
      { type: 'button', role: 'tab', id: `tab-${count}`, 'aria-controls': panel.id, 'data-title': title },
      title,
    );
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(title, tab));
    tab.addEventListener('keydown', (event) => move(event, list, index));
    list.append(tab);
  });
  group.prepend(list);
  select(group, panels[0]?.querySelector('.code-head span')?.textContent ?? '');
}

function move(event: KeyboardEvent, list: HTMLElement, index: number): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
  const next = tabs[(index + step + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
  event.preventDefault();
}

/** Selects a language for all samples that have it; the clicked sample keeps its place on the screen. */
function choose(title: string, tab: HTMLElement): void {
  const before = tab.getBoundingClientRect().top;
  chooseEverywhere(title);
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(KEY, title);
  } catch {
    // Storage is blocked: the choice is valid only for this page.
  }
}

function chooseEverywhere(title: string): void {
  for (const group of document.querySelectorAll<HTMLElement>('.samples')) select(group, title);
}

function select(group: HTMLElement, title: string): void {
  const tabs = [...group.querySelectorAll<HTMLElement>('[role=tab]')];
  if (!tabs.some((tab) => tab.dataset.title === title)) return;
  for (const tab of tabs) {
    const isChosen = tab.dataset.title === title;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    if (panel) panel.hidden = !isChosen;
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
