/**
 * Opens the parts that hide the field in the address, so that links from the search lead to a visible field.
 */
export function openTarget(): void {
  const open = () => {
    const target = targetOf(location.hash);
    if (target === null) return;
    let isHidden = false;
    for (let at = target.parentElement; at !== null; at = at.parentElement) {
      if (!(at instanceof HTMLDetailsElement) || at.open) continue;
      at.open = true;
      isHidden = true;
    }
    if (isHidden) target.scrollIntoView();
  };
  addEventListener('hashchange', open);
  open();
}

function targetOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
