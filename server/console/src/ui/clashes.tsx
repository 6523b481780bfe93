import { placeInWords } from '../app/errors';
import type { Clash } from './rebase';

/** The longest part of a value that is shown, in characters. */
const LONGEST = 200;

/** What two people have made of the same fields: whoever saves last should know what it was. */
export function Clashes({ clashes, form }: { clashes: readonly Clash[]; form: HTMLFormElement | null }) {
  if (clashes.length === 0) return null;
  return (
    <ul>
      {clashes.map(({ path, theirs, yours }) => (
        <li key={path.join('.')}>
          {labelOf(form, path)}: theirs is {inWords(theirs)}, yours is {inWords(yours)}. If you save again,
          yours holds.
        </li>
      ))}
    </ul>
  );
}

/** What the page calls a field; its place in words, where it has none. */
function labelOf(form: HTMLFormElement | null, path: readonly string[]): string {
  const end = path.join('.');
  const field = [...(form?.elements ?? [])].find((one) => {
    const name = one.getAttribute('name') ?? '';
    return name === end || name.endsWith(`.${end}`);
  });
  const label = field instanceof HTMLInputElement || isOther(field) ? field.labels?.[0] : undefined;
  return label?.firstChild?.textContent?.trim() || placeInWords(end);
}

const isOther = (field: Element | undefined): field is HTMLSelectElement | HTMLTextAreaElement =>
  field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value))
    return value.every((one) => typeof one !== 'object') ? value.join(', ') : `${value.length} entries`;
  if (typeof value === 'object') return 'another entry';
  const text = String(value);
  return `“${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}”`;
}
