import type { FieldError } from '../../domain/errors';
import { escapeHtml } from '../../domain/html';
import type { Spoken } from './page';
import { paragraph } from './parts';

/** What somebody typed, as the operation takes it; what was left empty is left out. */
export interface Typed {
  request_type?: string;
  email?: string;
  name?: string;
  message?: string;
}

/** People do not see the field, programs fill in all they find. */
const TRAP = 'website';

export const isTrapped = (fields: Record<string, string>): boolean => (fields[TRAP] ?? '') !== '';

const NAMES = ['request_type', 'email', 'name', 'message'] as const;

export function typedIn(fields: Record<string, string>): Typed {
  const typed: Typed = {};
  for (const name of NAMES) {
    // Browsers end the lines of a form with two characters.
    const text = (fields[name] ?? '').replaceAll('\r\n', '\n').trim();
    if (text !== '') typed[name] = text;
  }
  return typed;
}

/** How the form is shown. */
interface FormState {
  typed: Typed;
  errors: readonly FieldError[];
  /** What it carries to show when it was asked for. */
  form: string;
  /** Why it is shown again, if it was sent before. */
  alert: string | undefined;
}

export function formBody({ texts, say }: Spoken, { typed, errors, form, alert }: FormState): string {
  const { pages } = texts;
  const wrong = new Set(errors.map(({ path }) => path.split('.')[1] ?? ''));
  const words: Record<string, string> = { email: pages.bad_email, request_type: pages.choose };
  const field = (name: keyof Typed, label: string, control: (attributes: string) => string): string => {
    const error = wrong.has(name) ? (words[name] ?? pages.send_again) : undefined;
    const said = error === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-error"`;
    const note = error === undefined ? '' : `<p class="error" id="${name}-error">${escapeHtml(error)}</p>`;
    return `<p><label for="${name}">${escapeHtml(label)}</label>${control(`id="${name}" name="${name}"${said}`)}</p>${note}`;
  };
  const options = Object.entries(texts.types).map(
    ([type, label]) =>
      `<option value="${type}"${typed.request_type === type ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  );
  const value = (name: keyof Typed): string => escapeHtml(typed[name] ?? '');
  return [
    alert === undefined
      ? paragraph(say(pages.request_text))
      : `<p class="alert" role="alert">${escapeHtml(alert)}</p>`,
    `<form method="post"><input type="hidden" name="form" value="${escapeHtml(form)}">`,
    field(
      'request_type',
      texts.fact_type,
      (attributes) =>
        `<select ${attributes} required><option value="">${escapeHtml(pages.choose)}</option>${options.join('')}</select>`,
    ),
    // Not of the type email, for which browsers refuse addresses that are not in Latin letters.
    field(
      'email',
      pages.email,
      (attributes) =>
        `<input type="text" ${attributes} inputmode="email" autocomplete="email" maxlength="254" dir="ltr" required value="${value('email')}">`,
    ),
    field(
      'name',
      pages.name,
      (attributes) =>
        `<input type="text" ${attributes} autocomplete="name" maxlength="200" dir="auto" value="${value('name')}">`,
    ),
    field(
      'message',
      pages.message,
      (attributes) =>
        `<textarea ${attributes} rows="6" maxlength="10000" dir="auto">\n${value('message')}</textarea>`,
    ),
    `<p class="trap" aria-hidden="true"><label for="${TRAP}">${escapeHtml(pages.leave_empty)}</label><input type="text" id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></p>`,
    `<button type="submit">${escapeHtml(pages.send)}</button></form>`,
  ].join('');
}
