/** What is written as JSON; a list may come piece by piece. */
type Written = object | string | number | boolean | null | undefined;

const isList = (value: object): value is AsyncIterable<Written> | Written[] =>
  Array.isArray(value) || Symbol.asyncIterator in value;

/** A value as indented JSON with a line break, as `JSON.stringify(value, null, 2)` writes it, but never much at once. */
export async function* inLines(value: object): AsyncGenerator<string> {
  yield* written(value, '\n');
  yield '\n';
}

/** @param line a line break and the indentation of what is around the value */
async function* written(value: Written, line: string): AsyncGenerator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const inside = `${line}  `;
  const [open, close] = isList(value) ? '[]' : '{}';
  let before = open;
  if (isList(value))
    for await (const item of value) {
      yield `${before}${inside}`;
      yield* written(item, inside);
      before = ',';
    }
  else
    for (const [name, item] of Object.entries(value) as [string, Written][]) {
      if (item === undefined) continue;
      yield `${before}${inside}${JSON.stringify(name)}: `;
      yield* written(item, inside);
      before = ',';
    }
  yield before === open ? `${open}${close}` : `${line}${close}`;
}
