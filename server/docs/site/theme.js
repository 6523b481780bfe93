// Runs before anything is painted: the reader's colours, and that scripts run at all.
(() => {
  const root = document.documentElement;
  root.classList.add('script');
  try {
    const chosen = localStorage.getItem('avow.docs.theme');
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden: then the system's colours are shown.
  }
})();
