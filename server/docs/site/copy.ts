import { make } from './dom';

/** A button at each block of code that copies it. */
export function addCopyButtons(within: ParentNode = document): void {
  for (const head of within.querySelectorAll<HTMLElement>('.code-head')) {
    const code = head.parentElement?.querySelector('code');
    if (!code) continue;
    const button = make('button', { type: 'button', class: 'copy' }, 'Copy');
    const name = head.textContent ?? '';
    button.append(make('span', { class: 'visually-hidden' }, ` ${name}`));
    button.addEventListener('click', () => copy(code.textContent ?? '', button));
    head.append(button);
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.firstChild as Text;
  try {
    await navigator.clipboard.writeText(text);
    label.data = 'Copied';
  } catch {
    // Without HTTPS there is no clipboard: selects the text instead.
    const code = button.closest('.code')?.querySelector('code');
    if (code) getSelection()?.selectAllChildren(code);
    label.data = 'Selected';
  }
  setTimeout(() => {
    label.data = 'Copy';
  }, 2000);
}
