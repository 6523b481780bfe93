/** What has the focus, inside open shadow roots too; null when it is the page itself. */
export function focused(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element === document.body ? null : (element as HTMLElement | null);
}

/** Keeps Tab inside a modal dialog: after its last element comes its first. */
export function trap(event: KeyboardEvent, dialog: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const all = dialog.querySelectorAll<HTMLElement>('a,button,input,summary');
  const stops = [...all].filter((one) => one.checkVisibility?.() ?? one.offsetParent);
  const [first, last] = [stops[0], stops.at(-1)];
  const now = focused();
  if (event.shiftKey ? now !== first && now !== dialog : now !== last) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
