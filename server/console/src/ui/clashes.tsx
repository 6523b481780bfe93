import { placeInWords } from '../app/errors';
import type { Clash } from './rebase';

/** The maximum length of a shown value, in characters. */
const MAX_LENGTH = 200;

/**
 * Lists fields that two users have changed in different ways, so that nobody overwrites the other's value
 * unknowingly.
 */
export function Clashes({ clashes, form }: { clashes: readonly Clash[]; form: HTMLFormElement | null }) {
  if (clashes.length === 0) return null;
  return (
    <ul>
      {clashes.map(({ path, theirs, yours }) => (
        <li key={path.join('.')}>
          {labelOf(form, path)}: theirs is {inWords(theirs)}, yours is {inWords(yours)}. If you save again,
          yours replaces theirs.
        </li>
      ))}
    </ul>
  );
}

/** The label of a field on the page, or its place in words. */
function labelOf(form: HTMLFormElement | null, path: readonly string[]): string {
  const end = path.join('.');
  const field = [...(form?.elements ?? [])].find((one) => {
    const name = one.getAttribute('name') ?? '';
    return name === end || name.endsWith(`.${end}`);
  });
  const label =
    field instanceof HTMLInputElement || isSelectOrTextArea(field) ? field.labels?.[0] : undefined;
  return label?.firstChild?.textContent?.trim() || placeInWords(end);
}

const isSelectOrTextArea = (field: Element | undefined): field is HTMLSelectElement | HTMLTextAreaElement =>
  field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value))
    return value.every((one) => typeof one !== 'object') ? value.join(', ') : `${value.length} entries`;
  if (typeof value === 'object') return 'another entry';
  const text = String(value);
  return `“${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}”`;
}
