import { AvowApiError, AvowConnectionError, type FieldError } from '@avow/sdk';
import { words } from '../ui/format';

/** Kinds of failures, by what the user can do about them. */
export type FailureKind =
  | 'unreachable'
  | 'refused'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'invalid'
  | 'busy'
  | 'broken';

export interface Failure {
  kind: FailureKind;
  /** What went wrong, in one line. */
  title: string;
  /** What to do. */
  text: string;
  /** The id to quote when asking for help. */
  requestId: string | undefined;
}

const TITLES: Record<FailureKind, string> = {
  unreachable: 'The server cannot be reached',
  refused: 'You are not logged in',
  forbidden: 'Your role does not allow this',
  missing: 'There is nothing here',
  conflict: 'Somebody else has changed this',
  invalid: 'Please check what you entered',
  busy: 'The server is busy',
  broken: 'That did not work',
};

/** Of refusals that are no matter of a role. */
const OWN_TITLES: Partial<Record<string, string>> = {
  second_factor_required: 'A second factor is needed',
  reauthentication_required: 'Prove first who you are',
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

const UNREACHABLE = 'Nothing that you entered is lost. Check your connection, then try again.';

/** Describes an error for users. */
export function describe(error: unknown): Failure {
  if (AvowApiError.isApiError(error)) {
    const kind = isInvalidAddress(error) ? 'missing' : (KINDS[error.status] ?? 'broken');
    const title = OWN_TITLES[error.code] ?? TITLES[kind];
    return { kind, title, text: messageOf(error), requestId: error.requestId };
  }
  const unreachable = error instanceof AvowConnectionError;
  const kind = unreachable ? 'unreachable' : 'broken';
  const text = unreachable ? UNREACHABLE : error instanceof Error ? error.message : String(error);
  return { kind, title: TITLES[kind], text, requestId: undefined };
}

/** Whether only a token or id in the address was refused. An invalid id is treated like an unknown one. */
const isInvalidAddress = ({ status, errors }: AvowApiError): boolean =>
  status === 400 && errors.length > 0 && errors.every(({ path }) => path.startsWith('path.'));

/** The server's message, without the parts that the SDK adds for developers. */
function messageOf(error: AvowApiError): string {
  // The server's message about the whole request is for developers; problems are shown at their fields.
  if (error.errors.length > 0) return 'Correct it, then try again.';
  const [, text = error.message] = /^\w+ failed \([^)]*\): (.*)$/s.exec(error.message) ?? [];
  return error.code === 'unexpected_answer'
    ? 'Something between you and the server, such as a proxy, answered in its place. Try again in a moment.'
    : text;
}

/** All problems of a refused request; paths without `body.`. */
export const fieldErrors = (error: unknown): FieldError[] =>
  AvowApiError.isApiError(error)
    ? error.errors.map((one) => ({ ...one, path: one.path.replace(/^body\./, '') }))
    : [];

/**
 * The place of a problem, for users: `settings.banner.texts.fr.title` → Banner › Texts › Fr › Title. Used
 * only when the page has no field for it.
 */
export const placeInWords = (path: string): string =>
  path
    .replace(/^(body|query|path)\./, '')
    .replace(/^settings\.(?=.)/, '')
    .split('.')
    .map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : words(step)))
    .join(' › ');

export const isConflict = (error: unknown): boolean => AvowApiError.isApiError(error) && error.status === 409;
