declare global {
  var avowKept: Map<string, unknown> | undefined;
}

/** What is slow to make and the same for all suites: made once for those that share a realm. */
export function kept<T>(name: string, make: () => T): T {
  globalThis.avowKept ??= new Map();
  if (!globalThis.avowKept.has(name)) globalThis.avowKept.set(name, make());
  return globalThis.avowKept.get(name) as T;
}
