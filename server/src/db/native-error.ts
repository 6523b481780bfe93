/** The driver's own error: Objection hides it, with its code, in one of its own. */
export const nativeError = (error: unknown): unknown =>
  (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;
