import { AvowApiError, AvowConnectionError, type FieldError } from '@avow/sdk';
import { words } from '../ui/format';

/** Kinds of failures by what a person can do about them. */
export type FailureKind =
  | 'gone'
  | 'refused'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'invalid'
  | 'busy'
  | 'broken';

export interface Failure {
  kind: FailureKind;
  /** One line that says what went wrong. */
  title: string;
  /** What to do. */
  text: string;
  /** To quote when asking for help. */
  requestId: string | undefined;
}

const TITLES: Record<FailureKind, string> = {
  gone: 'The server cannot be reached',
  refused: 'You are not logged in',
  forbidden: 'Your role does not allow this',
  missing: 'There is nothing here',
  conflict: 'Somebody was faster',
  invalid: 'Please check what you entered',
  busy: 'The server is busy',
  broken: 'That did not work',
};

const KINDS: Record<number, FailureKind> = {
  400: 'invalid',
  401: 'refused',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  429: 'busy',
  503: 'busy',
};

const GONE = 'Nothing that you entered is lost. Check your connection, then try again.';

/** Says in plain words what went wrong. */
export function describe(error: unknown): Failure {
  if (AvowApiError.isApiError(error)) {
    const kind = isNoAddress(error) ? 'missing' : (KINDS[error.status] ?? 'broken');
    return { kind, title: TITLES[kind], text: said(error), requestId: error.requestId };
  }
  const gone = error instanceof AvowConnectionError;
  const kind = gone ? 'gone' : 'broken';
  const text = gone ? GONE : error instanceof Error ? error.message : String(error);
  return { kind, title: TITLES[kind], text, requestId: undefined };
}

/**
 * Refused for a token or id of the address alone: one that can name nothing is as good as one that names
 * nothing.
 */
const isNoAddress = ({ status, errors }: AvowApiError): boolean =>
  status === 400 && errors.length > 0 && errors.every(({ path }) => path.startsWith('path.'));

/** The sentence of the server, without what the SDK puts around it for developers. */
function said(error: AvowApiError): string {
  // What the server says of the whole is for developers; what is wrong with a field stands at the field.
  if (error.errors.length > 0) return 'Correct it, then try again.';
  const [, text = error.message] = /^\w+ failed \([^)]*\): (.*)$/s.exec(error.message) ?? [];
  return error.code === 'unexpected_answer'
    ? 'Something between you and the server answered instead of it. Try again in a moment.'
    : text;
}

/** Every problem of a refused request; paths without `body.`. */
export const fieldErrors = (error: unknown): FieldError[] =>
  AvowApiError.isApiError(error)
    ? error.errors.map((one) => ({ ...one, path: one.path.replace(/^body\./, '') }))
    : [];

/**
 * Where a problem is, for people: `settings.banner.texts.fr.title` → Banner › Texts › Fr › Title. For what has no
 * field on the page, whose label says it better.
 */
export const placeInWords = (path: string): string =>
  path
    .replace(/^(body|query|path)\./, '')
    .replace(/^settings\.(?=.)/, '')
    .split('.')
    .map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : words(step)))
    .join(' › ');

export const isConflict = (error: unknown): boolean => AvowApiError.isApiError(error) && error.status === 409;
