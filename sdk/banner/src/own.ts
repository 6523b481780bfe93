/**
 * A member of an object or of the window; what a page's library lets a link add to all objects is nobody's
 * (`?__proto__[preview]=true`).
 */
export function own<Value>(object: unknown, name: string): Value | undefined {
  const value = (object as Record<string, unknown> | undefined)?.[name];
  if (value !== (Object.prototype as unknown as Record<string, unknown>)[name]) return value as Value;
  return;
}

/** Makes data read by names that it may lack inherit nothing. */
export function bare<Data>(data: Data): Data {
  if (data instanceof Object) {
    if (!Array.isArray(data)) Object.setPrototypeOf(data, null);
    Object.values(data).forEach(bare);
  }
  return data;
}
