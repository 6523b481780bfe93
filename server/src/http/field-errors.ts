import type { ErrorObject } from 'ajv';
import type { FieldError } from '../domain/errors';
import { beginning } from '../domain/text';
import { type Finding, foldAlternatives } from './alternatives';
import { inWords } from './rule-words';

/** How the contract's validators name a place, and how an answer names it. */
const PLACES: Record<string, string> = { params: 'path', headers: 'header' };
/** Findings that already are in words. */
const WORDED = ['anyOf', 'propertyNames'];

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

/** Puts what a validator found into the words of the contract, each problem once. */
export function describeFindings(findings: readonly Finding[]): FieldError[] {
  const folded = foldAlternatives(findings.slice(0, 1000));
  const patterned = new Set(
    folded.filter(({ keyword }) => keyword === 'pattern').map(({ pointer }) => pointer),
  );
  const described = folded
    // A text that breaks its pattern breaks its format too; the pattern's words are enough.
    .filter(({ keyword, pointer }) => keyword !== 'format' || !patterned.has(pointer))
    .map(({ pointer, keyword, message }) => ({
      path: fieldPath(pointer),
      message: beginning(WORDED.includes(keyword) ? message : inWords(keyword, message), 1000),
      code: keyword,
    }));
  return [...new Map(described.map((error) => [JSON.stringify(error), error])).values()];
}

/** What a validator of our own found, in the same words as the other host of the contract. */
export function fieldErrors(errors: readonly ErrorObject[] | null | undefined, place: string): FieldError[] {
  return describeFindings(
    (errors ?? []).map(({ instancePath, keyword, message, params }) => {
      const property = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
      // For a field with an empty name the other host only reports that the body has one.
      const within = property === '' ? '' : instancePath;
      const pointer = `/${place}${within}${property === undefined ? '' : `/${property}`}`;
      const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : '';
      return { pointer, keyword, message: `${message ?? 'is invalid'}${allowed}` };
    }),
  );
}
