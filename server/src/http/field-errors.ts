import type { ErrorObject } from 'ajv';
import { PATTERN_MESSAGES } from '../../../spec/generated/patterns';
import type { FieldError } from '../errors';

/** How the contract's validators name a place, and how an answer names it. */
const PLACES: Record<string, string> = { params: 'path', headers: 'header' };

const MESSAGES: Record<string, string> = {
  required: 'is required',
  additionalProperties: 'is not known here: remove it, or check its spelling',
  unevaluatedProperties: 'is not known here: remove it, or check its spelling',
};

/** `/params/token` becomes `path.token`. */
export function fieldPath(pointer: string): string {
  const parts = pointer
    .replace(/^\//, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [place = 'body', ...rest] = parts;
  return [PLACES[place] ?? place, ...rest].join('.').slice(0, 500);
}

export function fieldError(pointer: string, keyword: string, message: string | undefined): FieldError {
  return {
    path: fieldPath(pointer),
    message: (MESSAGES[keyword] ?? inWords(keyword, message) ?? 'is invalid').slice(0, 1000),
    code: keyword,
  };
}

/** A pattern says nothing to most people: the contract has words for it. */
function inWords(keyword: string, message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  if (keyword === 'pattern') {
    const [, pattern = ''] = /^must match pattern "(.*)"$/s.exec(message) ?? [];
    return PATTERN_MESSAGES[pattern] ?? message;
  }
  const [, fewest] = /^must NOT have fewer than (\d+) characters$/.exec(message) ?? [];
  if (fewest === undefined) return message;
  return fewest === '1' ? 'must not be empty' : `must have at least ${fewest} characters`;
}

/** What a validator of our own found, in the same words as the other host of the contract. */
export function fieldErrors(errors: readonly ErrorObject[] | null | undefined, place: string): FieldError[] {
  return (errors ?? []).slice(0, 1000).map(({ instancePath, keyword, message, params }) => {
    const property = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
    // Of a nameless field the other host knows only that the body has one.
    const within = property === '' ? '' : instancePath;
    const pointer = `/${place}${within}${property === undefined ? '' : `/${property}`}`;
    const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : '';
    return fieldError(pointer, keyword, message && message + allowed);
  });
}
