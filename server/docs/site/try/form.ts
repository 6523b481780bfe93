import { make } from '../dom';
import { currentToken, giveToken, keepSite, readSite } from './session';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  values: string[];
  preset?: unknown;
  example: string;
}

/** The data of a form, made by server/docs/build/forms.ts. */
export interface Form {
  method: string;
  path: string;
  bearer: boolean;
  warning?: string;
  body?: string;
  bodyRequired?: boolean;
  parameters: Parameter[];
}

export interface Fields {
  element: HTMLFormElement;
  send: HTMLButtonElement;
  token: HTMLInputElement | undefined;
  body: HTMLTextAreaElement | undefined;
  parameters: Map<Parameter, HTMLInputElement | HTMLSelectElement>;
}

/** The fields of one operation, filled with its example. */
export function buildFields(id: string, form: Form): Fields {
  const element = make('form', { class: 'try-form', novalidate: true, 'aria-label': `Try ${id}` });
  const token = form.bearer ? tokenField(id, element) : undefined;
  const parameters = new Map<Parameter, HTMLInputElement | HTMLSelectElement>();
  const optional = make('details', { class: 'children' }, make('summary', {}, 'Optional parameters'));
  for (const parameter of form.parameters) {
    const input = parameterInput(id, parameter);
    parameters.set(parameter, input);
    labelled(parameter.required ? element : optional, input, parameter.name, parameter.description);
  }
  if (optional.childElementCount > 1) element.append(optional);
  const body = form.body === undefined ? undefined : bodyField(id, form, element);
  const send = make('button', { type: 'submit', class: 'button' }, 'Send request');
  element.append(
    make('p', { class: 'try-actions' }, send, make('span', { class: 'muted' }, `to ${location.origin}`)),
  );
  return { element, send, token, body, parameters };
}

function tokenField(id: string, element: HTMLElement): HTMLInputElement {
  const input = make('input', {
    id: `try-${id}-bearer`,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.value = currentToken();
  input.addEventListener('input', () => giveToken(input.value.trim()));
  const hint = input.value
    ? 'From your login in this tab.'
    : 'From login, or log in to the console in this tab. Kept in memory only.';
  labelled(element, input, 'Bearer token', hint);
  return input;
}

function parameterInput(id: string, parameter: Parameter): HTMLInputElement | HTMLSelectElement {
  const key = `try-${id}-${parameter.in}-${parameter.name}`;
  if (parameter.values.length > 0) {
    const preset = parameter.preset === undefined ? '' : ` (default ${parameter.preset})`;
    const empty = parameter.required ? [] : [make('option', { value: '' }, `not sent${preset}`)];
    return make(
      'select',
      { id: key },
      ...empty,
      ...parameter.values.map((value) => make('option', { value }, value)),
    );
  }
  const input = make('input', {
    id: key,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: parameter.name === 'token' ? 'env_…' : undefined,
  });
  const isSite = parameter.in === 'path' && parameter.name === 'token';
  input.value = isSite ? readSite() : parameter.example;
  if (isSite) input.addEventListener('input', () => keepSite(input.value.trim()));
  return input;
}

function bodyField(id: string, form: Form, element: HTMLElement): HTMLTextAreaElement {
  const area = make('textarea', {
    id: `try-${id}-body`,
    rows: Math.min((form.body ?? '').split('\n').length + 1, 16),
    spellcheck: 'false',
  });
  area.value = form.body ?? '';
  labelled(element, area, 'Body', form.bodyRequired ? 'JSON' : 'JSON; empty sends none');
  return area;
}

function labelled(parent: HTMLElement, input: HTMLElement, name: string, hint: string): void {
  const hintId = `${input.id}-hint`;
  const errorId = `${input.id}-error`;
  input.setAttribute('aria-describedby', `${hintId} ${errorId}`);
  parent.append(
    make(
      'div',
      { class: 'try-field' },
      make('label', { for: input.id }, name),
      input,
      make('span', { class: 'hint', id: hintId }, hint.replaceAll('`', '')),
      make('span', { class: 'error', id: errorId }),
    ),
  );
}

/** Puts a problem below its field; true when the field was found. */
export function showError(input: HTMLElement | undefined, message: string): boolean {
  if (input === undefined) return false;
  const place = document.getElementById(`${input.id}-error`);
  if (place === null) return false;
  place.textContent = [place.textContent, message].filter(Boolean).join(' · ');
  input.setAttribute('aria-invalid', 'true');
  input.closest('details')?.setAttribute('open', '');
  return true;
}

export function clearErrors({ element }: Fields): void {
  for (const error of element.querySelectorAll('.error')) error.textContent = '';
  for (const input of element.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
}
