import { MAX_DEPTH, MAX_NAME } from '../contract/bounds';
import { type FieldError, MAX_ERRORS } from '../domain/errors';

interface Place {
  value: object;
  name: string;
  /** The parent; paths are only built for errors. */
  inside: Place | undefined;
  depth: number;
}

/**
 * Finds what PostgreSQL cannot store and no person types: NUL and lone surrogates in strings and names, JSON
 * that nests too deep, and names that are too long. Iterates instead of recursing, so that depth cannot
 * exhaust the stack.
 */
export function findBadStrings(value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const todo: Place[] = [];
  const look = (child: unknown, name: string, inside: Place | undefined, depth: number): void => {
    if (typeof child === 'object' && child !== null) todo.push({ value: child, name, inside, depth });
    else if (typeof child === 'string' && isBad(child)) errors.push(badString(pathOf(name, inside)));
  };
  look(value, path, undefined, 0);
  for (let next = todo.pop(); next !== undefined && errors.length < MAX_ERRORS; next = todo.pop()) {
    const { value: container, name, inside, depth } = next;
    if (depth >= MAX_DEPTH)
      return [{ path, message: `must not nest deeper than ${MAX_DEPTH} levels`, code: 'depth' }];
    if (Array.isArray(container)) {
      // Without names of their own, of which a list of numbers would have tens of thousands.
      for (let at = 0; at < container.length && errors.length < MAX_ERRORS; at += 1) {
        const item: unknown = container[at];
        if (typeof item !== 'number') look(item, String(at), next, depth + 1);
      }
      continue;
    }
    for (const key of Object.keys(container)) {
      if (errors.length >= MAX_ERRORS) break;
      if (key.length > MAX_NAME) errors.push(longName(pathOf(name, inside), key));
      else if (isBad(key)) errors.push(badString(pathOf(name, inside)));
      else look((container as Record<string, unknown>)[key], key, next, depth + 1);
    }
  }
  return errors;
}

function pathOf(name: string, inside: Place | undefined): string {
  const names = [name];
  for (let place = inside; place !== undefined; place = place.inside) names.unshift(place.name);
  // The first segment names the part of the request and is not the caller's.
  return names.map((one, at) => (at === 0 ? one : one.slice(0, 40))).join('.');
}

export const isBad = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

const badString = (path: string): FieldError => ({
  path: path.slice(0, 500),
  message: 'must not contain NUL characters or lone surrogates',
  code: 'characters',
});

const longName = (path: string, key: string): FieldError => ({
  path: `${path}.${key.slice(0, 40)}`.slice(0, 500).toWellFormed(),
  message: `is not known here: no field has a name of more than ${MAX_NAME} characters`,
  code: 'additionalProperties',
});
