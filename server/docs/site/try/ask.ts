import { make } from '../dom';

/** Asks before sending something that cannot be undone. Escape and the safe button mean no. */
export function askFirst(id: string, warning: string): Promise<boolean> {
  const yes = make('button', { type: 'button', class: 'button danger' }, `Send ${id}`);
  const no = make('button', { type: 'button', class: 'button quiet', autofocus: true }, 'Do not send');
  const dialog = make(
    'dialog',
    { class: 'ask', 'aria-labelledby': 'ask-title' },
    make('h2', { id: 'ask-title' }, 'Send this to the real server?'),
    make('p', {}, warning.replaceAll('`', '')),
    make('p', { class: 'actions' }, no, yes),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      dialog.remove();
      resolve(answer);
    };
    yes.addEventListener('click', () => end(true));
    no.addEventListener('click', () => end(false));
    dialog.addEventListener('cancel', () => end(false));
  });
}
