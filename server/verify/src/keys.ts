import { parseKey } from '@avow/sdk/verify';
import { byId } from './dom';

/** Keys that the reader trusts. */
export interface Trust {
  trustedKeys: string[];
  witnesses: string[];
}

/** The keys of both fields; undefined when one is none, which its field then says. */
export async function readTrust(): Promise<Trust | undefined> {
  const trustedKeys = await readField('keys');
  const witnesses = await readField('witnesses');
  return trustedKeys && witnesses && { trustedKeys, witnesses };
}

async function readField(id: string): Promise<string[] | undefined> {
  const field = byId(id, HTMLTextAreaElement);
  const keys = field.value.split(/\s+/).filter((key) => key !== '');
  // Where a page has no cryptography, the verification says so.
  const isChecked = globalThis.crypto?.subtle !== undefined;
  const errors = isChecked ? await Promise.all(keys.map(whatIsWrong)) : [];
  const error = errors.find((one) => one !== '') ?? '';
  field.setAttribute('aria-invalid', String(error !== ''));
  byId(`${id}-error`, HTMLElement).textContent = error;
  if (error === '') return keys;
  byId('trust', HTMLDetailsElement).open = true;
  field.focus();
  return undefined;
}

const whatIsWrong = (key: string): Promise<string> =>
  parseKey(key).then(
    () => '',
    (error: Error) => error.message,
  );
