import { addCopyButtons } from '../copy';
import { load, make } from '../dom';
import { type Problem, showAnswer } from './answer';
import { askFirst } from './ask';
import { buildFields, clearErrors, type Fields, type Form, showError } from './form';
import { curlOf, prepare } from './request';
import { giveToken, isOver } from './session';

/** Replaces an operation's button by its form. */
export async function openForm(place: HTMLElement): Promise<void> {
  const id = place.dataset.operation ?? '';
  const button = place.querySelector('button');
  if (place.querySelector('form') !== null) return;
  try {
    const forms = JSON.parse(await load(document.documentElement.dataset.operations ?? ''));
    const form: Form = forms[id];
    const fields = buildFields(id, form);
    button?.remove();
    place.append(fields.element);
    connect(id, form, fields, place);
    fields.element.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  } catch {
    place.append(
      make(
        'p',
        { class: 'error', role: 'alert' },
        'The form could not be loaded: the server does not answer.',
      ),
    );
  }
}

function connect(id: string, form: Form, fields: Fields, place: HTMLElement): void {
  const code = make('code');
  const curl = make(
    'details',
    { class: 'children' },
    make('summary', {}, 'As curl'),
    make(
      'div',
      { class: 'code' },
      make('div', { class: 'code-head' }, make('span', {}, 'curl')),
      make('pre', { tabindex: 0 }, code),
    ),
  );
  const result = make('div', { 'aria-live': 'polite' });
  const showCurl = () => {
    code.textContent = curlOf(prepare(form, fields));
  };
  addCopyButtons(curl);
  place.append(curl, result);
  fields.element.addEventListener('input', showCurl);
  showCurl();
  fields.element.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearErrors(fields);
    if (!check(fields)) return;
    if (form.warning !== undefined && !(await askFirst(id, form.warning))) return;
    fields.send.disabled = true;
    await send(id, form, fields, result);
    fields.send.disabled = false;
  });
}

/** Problems that can be found without the server. */
function check(fields: Fields): boolean {
  if (fields.token !== undefined && isOver(fields.token.value.trim())) {
    fields.token.value = '';
    showError(fields.token, 'The login of this tab has ended: enter a token, or log in again.');
    fields.token.focus();
    return false;
  }
  const missing = [...fields.parameters].find(
    ([{ in: place }, input]) => place === 'path' && input.value.trim() === '',
  );
  if (missing !== undefined) {
    showError(missing[1], 'Needed for the address.');
    missing[1].focus();
    return false;
  }
  const text = fields.body?.value.trim();
  if (!text) return true;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    showError(fields.body, `This is not JSON: ${(error as Error).message}`);
    fields.body?.focus();
    return false;
  }
}

async function send(id: string, form: Form, fields: Fields, result: HTMLElement): Promise<void> {
  const { url, ...request } = prepare(form, fields);
  const start = performance.now();
  try {
    const response = await fetch(url, { ...request, cache: 'no-store', credentials: 'omit' });
    const { element, problems, data } = await showAnswer(response, performance.now() - start);
    result.replaceChildren(element);
    addCopyButtons(element);
    explain(problems, fields);
    if (id === 'login' && response.ok) takeOver(data, element);
  } catch {
    result.replaceChildren(
      make(
        'p',
        { class: 'try-message' },
        'No answer: the server cannot be reached, or the connection broke. What you typed is still here.',
      ),
    );
  }
}

/** Shows each problem at its field: `query.limit` at the parameter, everything below `body` at the body. */
function explain(problems: Problem[], fields: Fields): void {
  for (const { path, message } of problems) {
    const [place, name] = path.split('.');
    const parameter = [...fields.parameters].find(
      ([one]) => one.in === place && one.name.toLowerCase() === name?.toLowerCase(),
    );
    if (place === 'body') showError(fields.body, `${path}: ${message}`);
    else showError(parameter?.[1], message);
  }
}

/** Uses the token of a login that was tried here for the other forms of this page. */
function takeOver(data: unknown, element: HTMLElement): void {
  const { token } = (data ?? {}) as { token?: unknown };
  if (typeof token !== 'string') return;
  giveToken(token);
  for (const input of document.querySelectorAll<HTMLInputElement>('input[id$="-bearer"]'))
    input.value = token;
  element.prepend(
    make('p', { class: 'muted' }, 'The token is used by the forms of this page until you leave it.'),
  );
}
