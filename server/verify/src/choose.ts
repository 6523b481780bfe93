import { byId } from './dom';

/** A file that the reader has given. */
export interface Chosen {
  name: string;
  content: Blob;
}

/** Calls back with each file that is picked or dropped, and each text that is pasted. */
export function onChosen(take: (chosen: Chosen) => void, refuse: (why: string) => void): void {
  const input = byId('file', HTMLInputElement);
  const ofFile = (content: File): Chosen => ({ name: content.name, content });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) take(ofFile(file));
  });
  byId('verify-text', HTMLButtonElement).addEventListener('click', () => {
    const { value } = byId('receipt', HTMLTextAreaElement);
    if (value.trim() === '') refuse('Paste the text of a receipt first.');
    else take({ name: 'the pasted text', content: new Blob([value]) });
  });
  onDrop((files) => {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) refuse('Drop one file.');
    else {
      // What the field names is what is verified.
      input.value = '';
      take(ofFile(file));
    }
  });
}

function onDrop(take: (files: File[]) => void): void {
  const { classList } = document.documentElement;
  const isOurs = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    classList.remove('over');
    if (!isOurs(event)) return;
    event.preventDefault();
    take([...(event.dataTransfer?.files ?? [])]);
  });
}
