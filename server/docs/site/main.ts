import { addCopyButtons } from './copy';
import { openTarget } from './disclose';
import { followReading, showWhere } from './reading';
import { addTabs } from './tabs';
import { addThemeButton } from './theme-button';

const all = <T extends HTMLElement>(selector: string) => document.querySelectorAll<T>(selector);

// Samples use the address of the server that serves this page.
for (const origin of all('[data-origin]')) origin.textContent = location.origin;
addCopyButtons();
addTabs();
addThemeButton();
openTarget();
showWhere();
followReading();

for (const button of all('.search-open')) button.addEventListener('click', openSearch);
addEventListener('keydown', (event) => {
  const isTyping = (event.target as HTMLElement).matches('input, textarea, select, [contenteditable]');
  const isCall =
    (event.key === '/' && !isTyping) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
  if (!isCall || event.altKey) return;
  event.preventDefault();
  openSearch();
});

async function openSearch(): Promise<void> {
  const { showSearch } = await import('./search');
  await showSearch();
}
// Loaded while the browser is idle, so that the search is ready for the first letter.
addEventListener('load', () => setTimeout(() => import('./search').catch(() => undefined), 300));

for (const place of all('.try')) {
  place.querySelector('button')?.addEventListener('click', async () => {
    const { openForm } = await import('./try/open');
    await openForm(place);
  });
}
