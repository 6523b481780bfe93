/** Switches between light and dark, and remembers the choice in this browser. */
export function addThemeButton(): void {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  for (const button of document.querySelectorAll('button.theme')) {
    const show = () => button.setAttribute('aria-pressed', String(isDark()));
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem('avow.docs.theme', root.dataset.theme);
      } catch {
        // Storage is blocked: the choice is valid only for this page.
      }
      show();
    });
    system.addEventListener('change', show);
    show();
  }
}
