import { useSyncExternalStore } from 'react';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'avow.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme = read();

function read(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Puts the theme on the page; called before the first render, and when the system's changes. */
export function applyTheme(): void {
  const isDark = chosen === 'dark' || (chosen === 'auto' && dark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  if (theme === 'auto') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  for (const notify of listeners) notify();
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => chosen,
  );

dark.addEventListener('change', applyTheme);
