import { make } from '../dom';

/** The maximum that is shown, in bytes; a longer answer is offered as a file. */
const SHOWN_BYTES = 200_000;

export interface Problem {
  path: string;
  message: string;
}

export interface Answer {
  element: HTMLElement;
  problems: Problem[];
  /** The envelope's `data`, if there is one. */
  data: unknown;
}

/** Shows an answer: status, time, headers, and the formatted body. */
export async function showAnswer(response: Response, milliseconds: number): Promise<Answer> {
  const blob = await response.blob();
  const text = await blob.slice(0, SHOWN_BYTES).text();
  const parsed = blob.size <= SHOWN_BYTES ? parse(text) : undefined;
  const failed = response.ok
    ? undefined
    : (parsed as { message?: string; data?: { errors?: Problem[] } } | undefined);
  const problems = failed?.data?.errors ?? [];
  const element = make('div', { class: 'try-answer' });
  element.append(statusLine(response, milliseconds, blob.size));
  if (failed?.message) element.append(make('p', { class: 'try-message' }, failed.message));
  if (problems.length > 0)
    element.append(
      make(
        'ul',
        { class: 'try-problems' },
        ...problems.map(({ path, message }) => make('li', {}, make('code', {}, path), ` ${message}`)),
      ),
    );
  element.append(headersOf(response));
  if (blob.size > 0) element.append(bodyOf(parsed === undefined ? text : JSON.stringify(parsed, null, 2)));
  if (response.headers.has('content-disposition') || blob.size > SHOWN_BYTES)
    element.append(download(response, blob));
  return { element, problems, data: (parsed as { data?: unknown } | undefined)?.data };
}

function statusLine(response: Response, milliseconds: number, bytes: number): HTMLElement {
  const status = make(
    'span',
    { class: `status s${String(response.status)[0]}` },
    `${response.status} ${response.statusText}`.trim(),
  );
  return make(
    'p',
    { class: 'try-status' },
    status,
    ` ${Math.round(milliseconds)} ms · ${bytes.toLocaleString('en')} bytes`,
  );
}

function headersOf(response: Response): HTMLElement {
  const rows = [...response.headers].map(([name, value]) =>
    make('li', {}, make('code', {}, name), ` ${value}`),
  );
  return make(
    'details',
    { class: 'children' },
    make('summary', {}, `${rows.length} headers`),
    make('ul', { class: 'plain' }, ...rows),
  );
}

const bodyOf = (text: string): HTMLElement =>
  make(
    'div',
    { class: 'code' },
    make('div', { class: 'code-head' }, make('span', {}, 'Body')),
    make('pre', { tabindex: 0 }, make('code', {}, text)),
  );

function download(response: Response, blob: Blob): HTMLElement {
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'answer';
  return make('p', {}, make('a', { href: URL.createObjectURL(blob), download: name }, `Save ${name}`));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
