import { ofBrowser } from './storage';
import { createStore } from './store';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'avow.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const chosen = createStore<Theme>(read());

function read(): Theme {
  const kept = ofBrowser.get(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Sets the theme of the page. Called before the first render, and when the system's theme changes. */
export function applyTheme(): void {
  const theme = chosen.get();
  const isDark = theme === 'dark' || (theme === 'auto' && dark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  ofBrowser.set(KEY, theme === 'auto' ? undefined : theme);
  chosen.set(theme);
  applyTheme();
}

export const useTheme = chosen.useValue;

dark.addEventListener('change', applyTheme);
