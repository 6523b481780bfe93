import type { FieldError } from '../errors';

/** JSON that nests deeper is no request of ours. */
const MAX_DEPTH = 64;

/**
 * Finds what PostgreSQL cannot store and no person types: NUL and lone surrogates in strings and names; and JSON that nests too deep.
 * Walks with a list instead of recursion, so that depth cannot exhaust the stack.
 */
export function findBadStrings(value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const todo: { value: unknown; path: string; depth: number }[] = [{ value, path, depth: 0 }];
  for (let next = todo.pop(); next !== undefined && errors.length < 100; next = todo.pop()) {
    if (typeof next.value === 'string') {
      if (isBad(next.value)) errors.push(badString(next.path));
    } else if (typeof next.value === 'object' && next.value !== null) {
      if (next.depth >= MAX_DEPTH) {
        return [{ path, message: `must not nest deeper than ${MAX_DEPTH} levels`, code: 'depth' }];
      }
      for (const [key, child] of Object.entries(next.value)) {
        if (isBad(key)) errors.push(badString(next.path));
        else todo.push({ value: child, path: `${next.path}.${key.slice(0, 40)}`, depth: next.depth + 1 });
      }
    }
  }
  return errors;
}

export const isBad = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

const badString = (path: string): FieldError => ({
  path: path.slice(0, 500),
  message: 'must not contain NUL characters or lone surrogates',
  code: 'characters',
});
